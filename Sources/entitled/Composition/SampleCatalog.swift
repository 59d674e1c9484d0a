/// The catalog that `entitled dev` starts with.
enum SampleCatalog {
    static let json = """
        {
          "entitlements": [ { "id": "pro" }, { "id": "max" }, { "id": "pass" } ],
          "currencies": [ { "id": "coins" } ],
          "products": [
            { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "period": "P1M", "grants": ["pro"] },
            { "productId": "pro.monthlyB", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "period": "P1M", "grants": ["pro"] },
            { "productId": "pro.quarter", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "period": "P3M", "grants": ["pro"] },
            { "productId": "pro.yearly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "period": "P1Y", "grants": ["pro"] },
            { "productId": "max.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1, "period": "P1M", "grants": ["pro", "max"] },
            { "productId": "max.yearly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1, "period": "P1Y", "grants": ["pro", "max"] },
            { "productId": "pro.lifetime", "type": "nonConsumable", "grants": ["pro"] },
            { "productId": "pass.30d", "type": "nonRenewing", "duration": "P30D", "stacking": true, "grants": ["pass"] },
            { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } }
          ]
        }
        """
}

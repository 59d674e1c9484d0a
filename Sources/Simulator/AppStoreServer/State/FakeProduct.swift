package import EntitlementDomain

/// A product on sale in a fake App Store.
package struct FakeProduct: Sendable, Hashable {
    package var id: String
    package var type: ProductType
    /// Of a subscription.
    package var group: String?
    /// Of a subscription.
    package var period: CalendarDuration?
    /// Thousandths of a dollar.
    package var price: Int64

    package init(
        _ id: String,
        _ type: ProductType,
        group: String? = nil,
        period: CalendarDuration? = nil,
        price: Int64 = 9_990
    ) {
        self.id = id
        self.type = type
        self.group = group
        self.period = period
        self.price = price
    }

    /// A subscription by the month.
    package static func monthly(_ id: String, group: String = "21500001") -> FakeProduct {
        FakeProduct(id, .autoRenewable, group: group, period: CalendarDuration(months: 1))
    }
}

import JSON

extension StoreKitReader {
    /// The offers of a subscription: introductory ones first, then promotional ones, codes and win-back offers.
    mutating func readOffers(_ object: JSONObject, at path: [JSONPathElement]) -> [StoreKitOffer] {
        var offers = list(object, "introductoryOffers", at: path)
            .compactMap { readOffer($0.value, at: $0.path, .introductory) }
        // Version 5 writes an introductory offer in both forms.
        if let single = object["introductoryOffer"], !single.isNull,
            let offer = readOffer(single, at: path + ["introductoryOffer"], .introductory),
            !offers.contains(where: { $0.repeats(offer) })
        {
            offers.insert(offer, at: 0)
        }
        let lists = [("adHocOffers", OfferKind.promotional), ("codeOffers", .offerCode), ("winbackOffers", .winBack)]
        for (key, kind) in lists {
            var known: Set<String> = []
            for element in list(object, key, at: path) {
                guard let offer = readOffer(element.value, at: element.path, kind) else { continue }
                if let id = offer.identifier, !known.insert(id).inserted {
                    report(element.path, "offer \"\(id)\" stands twice in \(key)")
                    continue
                }
                offers.append(offer)
            }
        }
        return offers
    }

    private mutating func readOffer(
        _ value: JSONValue,
        at path: [JSONPathElement],
        _ kind: OfferKind
    ) -> StoreKitOffer? {
        guard let object = members(value, at: path) else { return nil }
        let identifier: String?
        switch kind {
        case .introductory: identifier = nil
        case .offerCode: identifier = requiredText(object, "referenceName", at: path)
        case .winBack where object["offerID"] == nil && object["referenceName"] != nil:
            identifier = requiredText(object, "referenceName", at: path)
        default: identifier = requiredText(object, "offerID", at: path)
        }
        let mode = requiredText(object, "paymentMode", at: path)
        let discountType = mode.flatMap(OfferDiscountType.init(paymentMode:))
        if let mode, discountType == nil {
            report(path + ["paymentMode"], "\"\(mode)\" is no payment mode; known: free, payAsYouGo, payUpFront")
        }
        let period = duration(object, "subscriptionPeriod", at: path)
        let count = object["numberOfPeriods"].flatMap {
            $0.isNull ? 1 : wholeNumber($0, at: path + ["numberOfPeriods"])
        }
        let plan = name(object, "billingPlanType", at: path)
        guard let discountType, let period, kind == .introductory || identifier != nil else { return nil }
        return StoreKitOffer(
            kind: kind,
            identifier: identifier,
            discountType: discountType,
            period: period,
            periodCount: count ?? 1,
            billingPlan: plan.map(BillingPlanType.init(rawValue:))
        )
    }
}

extension StoreKitOffer {
    /// Whether this offer, one of a list, is the same as one that stands alone and may name no plan.
    fileprivate func repeats(_ single: StoreKitOffer) -> Bool {
        var copy = self
        if single.billingPlan == nil { copy.billingPlan = nil }
        return copy == single
    }
}

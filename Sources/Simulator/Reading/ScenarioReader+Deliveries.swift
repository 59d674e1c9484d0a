import EntitlementDomain
import JSON

extension ScenarioReader {
    private static let deliveryKeys = ["id", "at", "notification", "upload", "receipt", "rpc", "tamper", "answer"]
    private static let kinds = ["notification", "upload", "receipt", "rpc"]

    /// The deliveries in their order; faulty ones are left out and reported.
    mutating func deliveries(_ value: JSONValue?, _ path: Path, products: CatalogProducts) -> [ScenarioDelivery] {
        guard let elements = value?.arrayValue else {
            report(path, expected: "an array of deliveries", found: value)
            return []
        }
        var places: [String: Int] = [:]
        return elements.enumerated().compactMap { index, element in
            let path = path + [.index(index)]
            guard let object = object(element, path, "a delivery (an object)") else { return nil }
            allowOnly(Self.deliveryKeys, in: object, path)
            let id = requiredText("id", in: object, path)
            if let id, let first = places.updateValue(index, forKey: id) {
                report(path + ["id"], "the id \"\(id)\" is taken by delivery \(first); ids are unique in a file")
            }
            let at = requiredInstant("at", in: object, path)
            guard let kind = kind(of: object, path) else { return nil }
            // A faulty id or date still lets the statement be checked, so that all problems show at once.
            let statement = StatementSource(
                deliveryID: id ?? "",
                at: at ?? Instant(milliseconds: 0),
                fileName: fileName,
                products: products
            )
            let content = content(kind, object[kind], path + [.key(kind)], statement)
            let tamper: Tampering? = word("tamper", in: object, path)
            if kind == "rpc", object["tamper"] != nil {
                report(path + ["tamper"], "a call carries no signed text to spoil; remove \"tamper\"")
            }
            let answer = answer(object["answer"], path + ["answer"], isNotification: kind == "notification")
            guard let id, let at, let content else { return nil }
            return ScenarioDelivery(id: id, at: at, content: content, tamper: tamper, answer: answer)
        }
    }

    private mutating func kind(of object: JSONObject, _ path: Path) -> String? {
        let kinds = Self.kinds.filter { object[$0] != nil }
        guard kinds.count == 1 else {
            let found = kinds.isEmpty ? "none of them" : kinds.joined(separator: " and ")
            report(path, "expected exactly one of \(Self.kinds.joined(separator: ", ")), found \(found)")
            return nil
        }
        return kinds[0]
    }

    private mutating func content(
        _ kind: String,
        _ value: JSONValue?,
        _ path: Path,
        _ source: StatementSource
    ) -> ScenarioDelivery.Content? {
        switch kind {
        case "notification": notification(value, path, source).map { .notification($0) }
        case "upload": upload(value, path, source).map { .upload($0) }
        case "receipt": receipt(value, path, source).map { .receipt($0) }
        default: call(value, path).map { .call($0) }
        }
    }

    private mutating func answer(_ value: JSONValue?, _ path: Path, isNotification: Bool) -> ScenarioAnswer {
        var answer = ScenarioAnswer()
        guard let value, let object = object(value, path, "an answer (an object)") else { return answer }
        let keys = isNotification ? ["http", "refused"] : ["error", "refused", "result"]
        allowOnly(keys, in: object, path)
        if object.isEmpty { report(path, "expected one of \(keys.joined(separator: ", ")), found none of them") }
        answer.isRefused = flag("refused", in: object, path) ?? false
        if isNotification {
            guard let status = object["http"] else { return answer }
            answer.http = status.int64Value.flatMap { (100...599).contains($0) ? Int($0) : nil }
            if answer.http == nil { report(path + ["http"], expected: "an HTTP status", found: status) }
            if answer.isRefused, let status = answer.http, !(400...499).contains(status) {
                report(path, "a refused notification is answered 4xx, not \(status)")
            }
        } else {
            answer.error = text("error", in: object, path)
            answer.result = object["result"].map(AccountNames.resolving)
            if answer.result != nil && (object["error"] != nil || answer.isRefused) {
                report(path, "a call has a result or fails, not both")
            }
        }
        return answer
    }
}

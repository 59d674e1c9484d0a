import EntitlementDomain
import JSON

extension ScenarioReader {
    private static let notificationKeys = [
        "notificationType", "subtype", "notificationUUID", "signedDate", "status", "environment", "bundleId",
        "appAppleId", "transaction", "transactionRaw", "renewalInfo", "renewalInfoRaw", "data", "dataRaw", "raw",
    ]
    private static let uploadKeys = ["transaction", "transactionRaw", "renewalInfo", "renewalInfoRaw", "account"]

    /// A notification with all its defaults.
    mutating func notification(_ value: JSONValue?, _ path: Path, _ source: StatementSource) -> DecodedNotification? {
        guard let object = object(value, path, "a notification (an object)") else { return nil }
        allowOnly(Self.notificationKeys, in: object, path)
        if object["notificationType"] == nil {
            report(path + ["notificationType"], expected: "text", found: nil)
        }
        let common = StatementDefaults(
            environment: field("environment", in: object, path, .text, default: "Production"),
            bundleID: field("bundleId", in: object, path, .text, default: .string(StatementDefaults.bundleID)),
            signedDate: date("signedDate", in: object, path, default: JSONValue(source.at.milliseconds))
        )
        let uuid = NotificationUUID.derived(fileName: source.fileName, deliveryID: source.deliveryID)
        var notification = DecodedNotification(
            notificationType: field("notificationType", in: object, path, .text, default: nil),
            subtype: field("subtype", in: object, path, .text, default: nil),
            notificationUUID: field("notificationUUID", in: object, path, .text, default: .string(uuid)),
            signedDate: common.signedDate
        )
        notification.raw = raw("raw", in: object, path)
        let statements = statements(in: object, path, common, source.products)
        if let data = object["data"] {
            if !data.isNull { report(path + ["data"], "only null is possible here; other values go to \"dataRaw\"") }
            for key in ["transaction", "renewalInfo", "dataRaw", "status"] where object[key] != nil {
                report(path + [.key(key)], "\"\(key)\" stands in the data object, which \"data\": null leaves out")
            }
        } else {
            notification.data = DecodedNotification.Body(
                environment: common.environment,
                appAppleID: field(
                    "appAppleId",
                    in: object,
                    path,
                    .number,
                    default: JSONValue(StatementDefaults.appAppleID)
                ),
                bundleID: common.bundleID,
                status: field("status", in: object, path, .number, default: nil),
                transaction: statements.transaction,
                renewalInfo: statements.renewalInfo,
                raw: raw("dataRaw", in: object, path)
            )
        }
        return notification
    }

    /// An upload with all its defaults.
    mutating func upload(_ value: JSONValue?, _ path: Path, _ source: StatementSource) -> DecodedUpload? {
        guard let object = object(value, path, "an upload (an object)") else { return nil }
        allowOnly(Self.uploadKeys, in: object, path)
        var common = StatementDefaults(signedDate: JSONValue(source.at.milliseconds))
        // There is no envelope to take the environment from: the renewal info belongs to its transaction.
        if let environment = object["transaction"]?["environment"] {
            common.environment = environment.isNull ? .none : environment
        }
        let statements = statements(in: object, path, common, source.products)
        let account = account("account", in: object, path)
        guard let transaction = statements.transaction else {
            if object["transaction"] == nil || object["transaction"]!.isNull {
                report(path + ["transaction"], expected: "a transaction (an object)", found: object["transaction"])
            }
            return nil
        }
        return DecodedUpload(transaction: transaction, renewalInfo: statements.renewalInfo, account: account)
    }

    // MARK: The inner statements

    private mutating func statements(
        in object: JSONObject,
        _ path: Path,
        _ common: StatementDefaults,
        _ products: CatalogProducts
    ) -> (transaction: JSONObject?, renewalInfo: JSONObject?) {
        let given = payload("transaction", in: object, path)
        let transaction = given.map { common.transaction($0, products: products) }
        let renewalInfo = payload("renewalInfo", in: object, path).map {
            common.renewalInfo($0, transaction: transaction)
        }
        return (
            merged("transactionRaw", over: transaction, of: "transaction", in: object, path),
            merged("renewalInfoRaw", over: renewalInfo, of: "renewalInfo", in: object, path)
        )
    }

    private mutating func payload(_ key: String, in object: JSONObject, _ path: Path) -> JSONObject? {
        guard let value = object[key], !value.isNull else { return nil }
        let path = path + [.key(key)]
        return self.object(value, path).map { signable($0, path) }
    }

    private mutating func merged(
        _ key: String,
        over payload: JSONObject?,
        of name: String,
        in object: JSONObject,
        _ path: Path
    ) -> JSONObject? {
        let raw = raw(key, in: object, path)
        guard !raw.isEmpty else { return payload }
        guard let payload else {
            if object[name] == nil { report(path + [.key(key)], "there is no \"\(name)\" to merge it over") }
            return nil
        }
        return payload.merging(raw)
    }

    /// The members as they are signed: dates as milliseconds, account names resolved. Null stays for the defaults to
    /// see.
    private mutating func signable(_ object: JSONObject, _ path: Path) -> JSONObject {
        var result = JSONObject()
        for member in object.members {
            var value = member.value
            if member.key == "appAccountToken", let account = value.stringValue.flatMap(AccountNames.account(named:)) {
                value = .string(account.description)
            }
            result.append(member.key, withDates(value, named: member.key, path + [.key(member.key)]))
        }
        return result
    }
}

package import EntitlementDomain
package import JSON

/// The short names `U1` ... `U9` for accounts: `U1` is 11111111-1111-4111-8111-111111111111, and so on.
package enum AccountNames {
    /// The account of that name; nil when the text is no such name.
    package static func account(named text: String) -> AccountID? {
        let bytes = Array(text.utf8)
        guard bytes.count == 2, bytes[0] == UInt8(ascii: "U"),
            (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[1])
        else { return nil }
        let digits = UInt64(bytes[1] - UInt8(ascii: "0")) * 0x1111_1111_1111_1111
        // Version 4 and the variant of RFC 9562, so that every reader takes it for a UUID.
        return AccountID(
            high: digits & ~0xF000 | 0x4000,
            low: digits & ~0xF000_0000_0000_0000 | 0x8000_0000_0000_0000
        )
    }

    /// The name of an account that has one.
    package static func name(of account: AccountID) -> String? {
        (1...9).map { "U\($0)" }.first { self.account(named: $0) == account }
    }

    /// The value with every string that is a name replaced by the account's UUID, at any depth; member names stay.
    package static func resolving(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(account(named: text)?.description ?? text)
        case .array(let elements): .array(elements.map(resolving))
        case .object(let object): .object(resolving(object))
        case .null, .bool, .number: value
        }
    }

    /// The same for the members of an object.
    package static func resolving(_ object: JSONObject) -> JSONObject {
        JSONObject(object.members.map { JSONObject.Member(key: $0.key, value: resolving($0.value)) })
    }
}

import EntitlementDomain
import X509

/// Where a JSON text names accounts: the UUIDs in it, by their places. A UUID is 36 bytes in every spelling, so that
/// another one is written over it without touching the rest.
package struct AccountMentions: Sendable, Hashable {
    private struct Mention: Sendable, Hashable {
        var offset: Int
        var id: AccountID
        /// Whether it is the value of a member `appAccountToken`.
        var isToken: Bool
    }

    private var mentions: [Mention] = []

    private static let length = 36
    private static let tokenMember = Array(#""appAccountToken": ""#.utf8)

    /// - Parameter json: canonical JSON (`JSONValue.canonicalBytes`).
    package init(in json: [UInt8]) {
        let hyphen = UInt8(ascii: "-")
        var next = json.span.firstOffset(of: hyphen, from: 8)
        while let index = next, index + 28 <= json.count {
            next = json.span.firstOffset(of: hyphen, from: index + 1)
            guard json[index + 5] == hyphen, json[index + 10] == hyphen, json[index + 15] == hyphen else { continue }
            let start = index - 8
            if let id = AccountID(String(decoding: json[start..<start + Self.length], as: UTF8.self)) {
                let isToken = json[..<start].suffix(Self.tokenMember.count).elementsEqual(Self.tokenMember)
                mentions.append(Mention(offset: start, id: id, isToken: isToken))
                next = json.span.firstOffset(of: hyphen, from: index + 28)
            }
        }
    }

    /// All UUIDs of the text.
    var ids: Set<AccountID> { Set(mentions.map(\.id)) }

    /// Those that statements name as the account of a purchase.
    var tokens: Set<AccountID> { Set(mentions.lazy.filter(\.isToken).map(\.id)) }

    /// Writes other UUIDs over those that have one.
    ///
    /// - Parameter json: the text that was looked through.
    func replace(in json: inout [UInt8], by others: [AccountID: AccountID]) {
        for mention in mentions {
            guard let other = others[mention.id] else { continue }
            json.replaceSubrange(mention.offset..<mention.offset + Self.length, with: other.description.utf8)
        }
    }
}

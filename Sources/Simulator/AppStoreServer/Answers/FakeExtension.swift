import AppStore
import JSON

/// Checks the bodies of calls that extend renewal dates.
enum FakeExtension {
    /// The days of an extension whose other members are good.
    static func days(_ body: JSONObject?) throws(FakeStoreError) -> Int64 {
        guard let body else { throw .refused(.generalBadRequest) }
        guard let days = body["extendByDays"]?.int64Value, (1...90).contains(days) else {
            throw .refused(.invalidExtendByDays)
        }
        guard let reason = body["extendReasonCode"]?.int64Value, (0...3).contains(reason) else {
            throw .refused(.invalidExtendReasonCode)
        }
        guard let request = body["requestIdentifier"]?.stringValue, (1...128).contains(request.utf8.count) else {
            throw .refused(.invalidRequestIdentifier)
        }
        return days
    }

    static func checkStorefronts(_ body: JSONObject?) throws(FakeStoreError) {
        guard let value = body?["storefrontCountryCodes"] else { return }
        guard let list = value.arrayValue, !list.isEmpty else { throw .refused(.invalidEmptyStorefrontCountryCodeList) }
        for code in list {
            guard let text = code.stringValue, text.count == 3, text.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
                throw .refused(.invalidStorefrontCountryCode)
            }
        }
    }
}

import JSON
import X509

extension StatementSigner {
    /// The signed statement around a decoded payload.
    ///
    /// Throws only when libcrypto fails.
    func sign(_ payload: JSONObject) throws(X509Error) -> String {
        try sign(JSONValue.object(payload).serialized())
    }
}

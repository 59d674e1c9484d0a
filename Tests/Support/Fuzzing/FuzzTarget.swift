/// What is fuzzed: each case hands bytes of a stranger to the code that meets them first.
///
/// Whatever the bytes are, `run` returns, soon: the code gives a value or a typed error. What else happens is a finding.
package enum FuzzTarget: String, Sendable, CaseIterable {
    /// The JSON parser, the scanner and the map from values to lines, which must agree.
    case json
    /// The body of `/rpc`: the answer must have the form of JSON-RPC.
    case jsonrpc
    /// The parameters of every method, `{"method": …, "params": …}`.
    case parameters
    /// A signed text as it comes: three segments, the header with its certificates.
    case jws
    /// One certificate of `x5c` in DER, put in place of the leaf, the intermediate and the root.
    case x5c
    /// The payload of a notification, signed; parts that are objects are signed too.
    case notification
    /// The payload of a transaction, signed, as an app's backend hands it in.
    case transaction
    /// An app receipt as it comes, PKCS#7 in DER or BER.
    case receipt
    /// What a receipt is signed over, signed.
    case receiptPayload
    /// A `.storekit` file, and the catalog that is drafted from it.
    case storekit
    /// A catalog file.
    case catalog
    /// The lines of an archive of the log.
    case archive
    /// Raw bytes to a listening server with the service's router behind it.
    case http

    /// Runs the code on bytes.
    ///
    /// - Throws: what must not be.
    package func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        switch self {
        case .json: try FuzzJSON.run(bytes)
        case .jsonrpc: try FuzzCalls.rpc(bytes)
        case .parameters: try FuzzCalls.parameters(bytes)
        case .jws: FuzzStatements.jws(bytes)
        case .x5c: FuzzStatements.x5c(bytes)
        case .notification: try FuzzStatements.notification(bytes)
        case .transaction: try FuzzStatements.transaction(bytes)
        case .receipt: FuzzReceipts.receipt(bytes)
        case .receiptPayload: try FuzzReceipts.payload(bytes)
        case .storekit: try FuzzFiles.storekit(bytes)
        case .catalog: try FuzzFiles.catalog(bytes)
        case .archive: FuzzFiles.archive(bytes)
        case .http: try FuzzHTTP.run(bytes)
        }
    }

    /// Inputs to start from: good ones, and some that are just not.
    package var seeds: [[UInt8]] {
        switch self {
        case .json: FuzzSeeds.json
        case .jsonrpc: FuzzSeeds.calls
        case .parameters: FuzzSeeds.parameters
        case .jws: FuzzStatements.signedSeeds
        case .x5c: FuzzStatements.certificateSeeds
        case .notification: FuzzSeeds.notifications
        case .transaction: FuzzSeeds.transactions
        case .receipt: FuzzReceipts.signedSeeds
        case .receiptPayload: FuzzReceipts.payloadSeeds
        case .storekit: FuzzSeeds.storekit
        case .catalog: FuzzSeeds.catalogs
        case .archive: FuzzSeeds.archives
        case .http: FuzzSeeds.requests
        }
    }
}

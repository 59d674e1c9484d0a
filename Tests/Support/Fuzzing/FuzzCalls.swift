import EntitlementAPI
import JSON
import JSONRPC

/// JSON-RPC: bodies, and the parameters in them.
enum FuzzCalls {
    private static let methods: [any APIMethod.Type] = [
        EntitlementsGet.self, EntitlementsCheck.self, EntitlementsExplain.self, EntitlementsToken.self,
        EntitlementsGetMany.self, SubscriptionsStatus.self, PurchasesList.self, TransactionsSubmit.self,
        TransactionsSubmitMany.self, AppTransactionsSubmit.self, ReceiptsSubmit.self, PurchasesRestore.self,
        AccountsSetAppAccountToken.self, AccountsLink.self, AccountsTransfer.self, AccountsErase.self,
        GrantsIssue.self, GrantsRevoke.self, HoldsPlace.self, HoldsLift.self, BalancesGet.self, BalancesSpend.self,
        EventsList.self, ChangesList.self, CatalogGet.self, CatalogPut.self, AuditVerify.self, AuditReplay.self,
        AuditCheckpoint.self, RPCDiscover.self,
    ]

    /// All methods of the interface; each reads its parameters and answers with nothing.
    private static let server = RPCServer<Int>(methods: methods.map { rpcMethod($0) })

    private static func rpcMethod<Method: APIMethod>(_ method: Method.Type) -> RPCMethod<Int> {
        RPCMethod(
            method.name,
            immediately: { params, _ throws(JSONRPCError) in
                _ = try method.parameters(from: params)
                return Array("null".utf8)
            },
            handler: { _, _ in Array("null".utf8) }
        )
    }

    static func rpc(_ body: [UInt8]) throws(FuzzFinding) {
        guard case .now(let answer) = server.reply(to: body, context: 0) else {
            // A batch goes on in a task, which is waited for where it can be.
            return try batch(body)
        }
        try check(answer, of: body)
    }

    private static func batch(_ body: [UInt8]) throws(FuzzFinding) {
        let answer = BlockingTask.run { await server.respond(to: body, context: 0) }
        guard let answer else { throw FuzzFinding("no answer to a batch within ten seconds") }
        try check(answer, of: body)
    }

    /// An answer is a response object or an array of them (JSON-RPC 2.0, sections 5 and 6).
    static func check(_ answer: [UInt8]?, of body: [UInt8]) throws(FuzzFinding) {
        guard let answer else { return }
        guard let value = try? JSONParser.parse(answer) else { throw FuzzFinding("the answer is not JSON") }
        let responses = value.arrayValue ?? [value]
        guard !responses.isEmpty else { throw FuzzFinding("the answer is an empty array") }
        for response in responses {
            guard let object = response.objectValue, object["jsonrpc"] == "2.0", object["id"] != nil,
                (object["result"] == nil) != (object["error"] == nil)
            else { throw FuzzFinding("the answer has not the form of JSON-RPC") }
            guard let error = object["error"] else { continue }
            guard error["code"]?.int64Value != nil, error["message"]?.stringValue != nil else {
                throw FuzzFinding("the error has not the form of JSON-RPC")
            }
            if error["code"]?.int64Value == Int64(JSONRPCError.internalError.code) {
                throw FuzzFinding("an internal error")
            }
        }
    }

    static func parameters(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let value = try? JSONParser.parse(bytes) else { return }
        let name = value["method"]?.stringValue
        for method in methods where name == nil || method.name == name { read(method, value["params"]) }
    }

    private static func read<Method: APIMethod>(_ method: Method.Type, _ params: JSONValue?) {
        _ = try? method.parameters(from: params)
    }
}

import JSON
import JSONRPC
import Synchronization

/// The methods the specification's examples call, and some that are odd on purpose.
struct Calculator {
    func methods() -> [RPCMethod<Int>] {
        [
            RPCMethod("subtract") { params, _ throws(JSONRPCError) in
                let minuend = params?["minuend"] ?? params?[0]
                let subtrahend = params?["subtrahend"] ?? params?[1]
                guard let minuend = minuend?.int64Value, let subtrahend = subtrahend?.int64Value else {
                    throw .invalidParams
                }
                return Array(String(minuend - subtrahend).utf8)
            },
            RPCMethod("sum") { params, _ throws(JSONRPCError) in
                let numbers = (params?.arrayValue ?? []).map(\.int64Value)
                guard !numbers.contains(nil) else { throw .invalidParams("numbers are needed") }
                return Array(String(numbers.reduce(0) { $0 + $1! }).utf8)
            },
            RPCMethod(synchronous: "get_data") { _, _ in Array(#"["hello",5]"#.utf8) },
            RPCMethod(synchronous: "echo") { params, _ in params?.serialized() ?? Array("null".utf8) },
            RPCMethod(synchronous: "fail") { _, _ throws(JSONRPCError) in
                throw JSONRPCError(code: 17, message: "no", data: ["reason": "unavailable", "retryable": true])
            },
            RPCMethod(
                "cached",
                immediately: { params, _ in params?[0] == 1 ? Array("1".utf8) : nil },
                handler: { _, context in JSONValue("slow \(context)").serialized() }
            ),
        ]
    }

    func server(
        limits: RPCLimits = RPCLimits(),
        interceptor: (any RPCInterceptor<Int>)? = nil
    ) -> RPCServer<Int> {
        RPCServer(methods: methods(), limits: limits, interceptor: interceptor)
    }
}

/// Writes down what it sees and refuses what it is told to.
final class Recorder: RPCInterceptor {
    let seen = Mutex<[String]>([])
    let refused: String?

    init(refusing refused: String? = nil) {
        self.refused = refused
    }

    var lines: [String] { seen.withLock { $0 } }

    func willCall(_ call: RPCCall, context: Int) throws(JSONRPCError) {
        let kind = (call.isKnown ? "" : " unknown") + (call.isNotification ? " notification" : "")
        seen.withLock { $0.append("will \(call.method)\(kind) \(context)") }
        if call.method == refused { throw JSONRPCError(code: 2, message: "no", data: ["reason": "forbidden"]) }
    }

    func didCall(_ call: RPCCall, context: Int, duration: Duration, outcome: RPCOutcome) {
        let text =
            switch outcome {
            case .result(let bytes): "result \(bytes)"
            case .error(let error): "error \(error.code)"
            }
        seen.withLock { $0.append("did \(call.method) \(text)" + (duration >= .zero ? "" : " backwards")) }
    }
}

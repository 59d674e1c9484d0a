import Foundation
import Glibc
import JSON
import Simulator
import Testing

extension SystemTests {
    /// The program under clients that mean no good: others are answered all the while, and it does not grow.
    @Suite struct AttackTests {
        /// Under the bounds that a service for the Internet may have.
        private static let settings: JSONObject = [
            "limits": [
                "requestTimeLimit": "PT2S", "maximumConnections": 400, "maximumConnectionsPerAddress": 150,
                "maximumBodyBytes": 1_048_576,
            ]
        ]
        private static let head = "POST /rpc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n"

        /// How an attacker goes on after its connection was opened: called again and again until it throws.
        private struct Attack: Sendable {
            var name: String
            /// How many connections at a time.
            var count: Int
            var beginning: String
            /// What is sent every time; none: nothing more is.
            var more: [UInt8]
            /// Between two times.
            var pause: UInt32 = 20_000
        }

        private static let filling = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)

        private static let attacks = [
            Attack(name: "trickles header fields", count: 200, beginning: "GET / HTTP/1.1\r\nX: ", more: [0x78]),
            Attack(
                name: "trickles a body",
                count: 200,
                beginning: head + "Content-Length: 900000\r\n\r\n",
                more: [0x20]
            ),
            Attack(name: "says nothing", count: 300, beginning: "", more: []),
            Attack(
                name: "never reads",
                count: 100,
                beginning: "",
                more: Array("GET /openrpc.json HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
                pause: 0
            ),
            Attack(
                name: "endless header fields",
                count: 30,
                beginning: "GET / HTTP/1.1\r\nX: ",
                more: filling,
                pause: 0
            ),
            Attack(
                name: "endless body",
                count: 30,
                beginning: head + "Transfer-Encoding: chunked\r\n\r\n",
                more: Array("10000\r\n".utf8) + filling + [13, 10],
                pause: 0
            ),
            Attack(
                name: "huge body",
                count: 30,
                beginning: head + "Content-Length: 99999999999\r\n\r\n",
                more: filling,
                pause: 0
            ),
            Attack(
                name: "deep JSON",
                count: 30,
                beginning: "",
                more: Array("\(head)Content-Length: 500000\r\n\r\n\(String(repeating: "[", count: 500_000))".utf8),
                pause: 0
            ),
            Attack(
                name: "many small calls",
                count: 30,
                beginning: "",
                more: Array("\(head)Content-Length: 200003\r\n\r\n[1\(String(repeating: ",1", count: 100_000))]".utf8),
                pause: 0
            ),
        ]

        @Test func othersAreAnsweredAllTheWhile() async throws {
            let seconds = ProcessInfo.processInfo.environment["ENTITLED_LONG"] == nil ? 0.4 : 15.0
            try await ServeService.with(settings: Self.settings) { service in
                let process = service.program.processID
                let before = try Self.residentMegabytes(process)
                let open = try Self.openDescriptors(process)
                for attack in Self.attacks {
                    let port = service.client.port
                    let end = ContinuousClock.now + .seconds(seconds)
                    async let attackers: Void = Self.run(attack, port: port, until: end)
                    var slowest = Duration.zero
                    var count = 0
                    while ContinuousClock.now < end {
                        let start = ContinuousClock.now
                        let answer = try await service.client.call(
                            "entitlements.get",
                            ["account": "11111111-1111-4111-8111-111111111111"]
                        )
                        #expect(answer["result"] != nil, "\(attack.name): \(answer)")
                        slowest = max(slowest, ContinuousClock.now - start)
                        count += 1
                    }
                    // One address has no more connections than it may have.
                    #expect(try Self.openDescriptors(process) < open + 150 + 50, "\(attack.name)")
                    await attackers
                    #expect(count > 0)
                    #expect(slowest < .seconds(5), "\(attack.name)")
                    let grown = try Self.residentMegabytes(process) - before
                    #expect(grown < 200, "\(attack.name): \(grown) MB")
                    print("AttackTests: \(attack.name): \(count) calls, slowest \(slowest), \(grown) MB more")
                }
                // Nothing of it is left: an attack has some hundred connections.
                let settled = try await eventually { try Self.openDescriptors(process) < open + 50 }
                let after = try Self.openDescriptors(process)
                #expect(settled, "\(open) open before, \(after) after")
            }
        }

        /// Attackers come from another address than good clients, over and over where their connections are cut.
        private static func run(_ attack: Attack, port: Int, until end: ContinuousClock.Instant) async {
            await withTaskGroup(of: Void.self) { group in
                // Each thread leads many connections.
                for _ in 0..<10 {
                    group.addTask {
                        try? await onOwnThread {
                            var open: [RawConnection] = []
                            while ContinuousClock.now < end {
                                while open.count < attack.count / 10 {
                                    guard let next = try? RawConnection(port: port, from: "127.0.0.2", patience: 1),
                                        (try? next.send(Array(attack.beginning.utf8))) != nil
                                    else { break }
                                    open.append(next)
                                }
                                open = open.filter { attack.more.isEmpty || (try? $0.send(attack.more)) != nil }
                                usleep(max(1_000, attack.pause))
                            }
                        }
                    }
                }
            }
        }

        private static func residentMegabytes(_ process: Int32) throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
        }

        private static func openDescriptors(_ process: Int32) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        }
    }
}

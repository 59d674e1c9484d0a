import Foundation
import Glibc
import Synchronization

/// Instances of `entitled serve` that share a database. One that ended by itself or by force is started again on the same
/// port, as an operator's supervisor does.
final class FaultInstances: Sendable {
    struct Instance: Sendable {
        var port: Int
        var program: RunningProgram
        /// Whether load is sent to it.
        var isServing = true
    }

    private let setup: ServeSetup
    private let environment: [String: String]
    private let instances = Mutex<[Instance]>([])

    init(_ setup: ServeSetup, environment: [String: String] = [:]) {
        self.setup = setup
        self.environment = environment
    }

    /// All of them.
    var all: [Instance] { instances.withLock { $0 } }

    /// The ports that load is sent to.
    var ports: [Int] { all.filter(\.isServing).map(\.port) }

    /// Starts one more.
    func add() async throws {
        let (program, port) = try await start(port: 0)
        instances.withLock { $0.append(Instance(port: port, program: program)) }
    }

    /// Kills one without warning; load goes on being sent to its port.
    func kill(_ place: Int) async {
        let program = all[place].program
        program.signal(SIGKILL)
        _ = await program.end()
    }

    /// Starts one again that has ended; tries until it comes up, for a minute at most.
    func restart(_ place: Int) async throws {
        let port = all[place].port
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                let (program, _) = try await start(port: port)
                instances.withLock {
                    $0[place].program = program
                    $0[place].isServing = true
                }
                return
            } catch {
                if ContinuousClock.now > deadline { throw error }
                try? await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Takes one out of service, in good order.
    ///
    /// - Returns: its exit status.
    func retire(_ place: Int) async -> Int32 {
        instances.withLock { $0[place].isServing = false }
        let program = all[place].program
        program.signal(SIGTERM)
        return await program.end()
    }

    /// Ends all.
    func stop() async {
        for instance in all { instance.program.signal(SIGTERM) }
        for instance in all { _ = await instance.program.end() }
    }

    private func start(port: Int) async throws -> (RunningProgram, Int) {
        var environment = environment
        environment["ENTITLED_PORT"] = String(port)
        let program = try RunningProgram(["serve", "--config", setup.configuration], environment: environment)
        let line = try await program.firstLine()
        guard let chosen = line.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw RunningProgram.EndedEarly(output: line, errors: program.errors)
        }
        return (program, chosen)
    }
}

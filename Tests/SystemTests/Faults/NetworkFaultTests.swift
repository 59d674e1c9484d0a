import Foundation
import TestKit
import Testing

extension SystemTests {
    /// The network between the service and its database is cut, slow, or lets through one direction only.
    @Suite struct NetworkFaultTests {
        @Test func aNetworkThatFailsLosesNothing() async throws {
            var plan = FaultSite.Plan()
            plan.hasRelay = true
            try await FaultSite.with("aNetworkThatFailsLosesNothing", plan) { site in
                let relay = try #require(site.relay)
                var random = SeededGenerator(seed: site.seed)
                for _ in 0..<FaultSite.rounds {
                    try await site.suffer("connections reset") {
                        for _ in 0..<5 {
                            await site.wait(for: Int.random(in: 1...40, using: &random))
                            relay.cut()
                        }
                    }
                    try await site.suffer("nobody at the address") {
                        relay.set(.refusing)
                        relay.cut()
                        await site.wait(for: 40)
                        relay.set(.open)
                    }
                    try await site.suffer("silent for a while") {
                        relay.set(.silent)
                        try await Task.sleep(for: .milliseconds(800))
                        relay.set(.open)
                    }
                    try await site.suffer("silent, then reset") {
                        relay.set(.silent)
                        try await Task.sleep(for: .milliseconds(500))
                        relay.cut()
                        relay.set(.open)
                    }
                    // What was committed is not heard of: the hardest case for "exactly once".
                    try await site.suffer("answers lost, then reset") {
                        for _ in 0..<3 {
                            await site.wait(for: Int.random(in: 1...40, using: &random))
                            relay.set(.deaf)
                            try await Task.sleep(for: .milliseconds(200))
                            relay.cut()
                            relay.set(.open)
                        }
                    }
                    try await site.suffer("slow") {
                        relay.set(.slow(milliseconds: 20))
                        await site.wait(for: 40)
                        relay.set(.open)
                    }
                }
            }
        }
    }
}

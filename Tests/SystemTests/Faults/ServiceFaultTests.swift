import Foundation
import Glibc
import TestKit
import Testing

extension SystemTests {
    /// Instances of the service are killed, frozen, taken away and added under load.
    @Suite struct ServiceFaultTests {
        @Test(arguments: FaultSite.isLong ? [1, 2, 4] : [2])
        func killedFrozenAndComingInstancesLoseNothing(count: Int) async throws {
            var plan = FaultSite.Plan()
            plan.instances = count
            plan.serverSettings = ["max_connections": "100"]
            try await FaultSite.with("killedFrozenAndComingInstancesLoseNothing \(count)", plan) { site in
                var random = SeededGenerator(seed: site.seed)
                for _ in 0..<FaultSite.rounds {
                    for _ in 0..<(FaultSite.isLong ? 10 : 2) {
                        try await site.suffer("SIGKILL of an instance") {
                            let place = Int.random(in: 0..<count, using: &random)
                            await site.wait(for: Int.random(in: 1...100, using: &random))
                            await site.instances.kill(place)
                            if count > 1 { await site.wait(for: 20) }
                            try await site.instances.restart(place)
                        }
                    }
                    try await site.suffer("SIGSTOP of an instance") {
                        let program = site.instances.all[Int.random(in: 0..<count, using: &random)].program
                        program.signal(SIGSTOP)
                        try await Task.sleep(for: .milliseconds(500))
                        program.signal(SIGCONT)
                    }
                    if count > 1 {
                        try await site.suffer("an instance retires") {
                            let place = Int.random(in: 0..<count, using: &random)
                            #expect(await site.instances.retire(place) == 0)
                            try await site.expectProgress("with an instance less")
                            try await site.instances.restart(place)
                        }
                    }
                    try await site.suffer("all instances killed at once") {
                        for instance in site.instances.all { instance.program.signal(SIGKILL) }
                        for place in site.instances.all.indices {
                            await site.instances.kill(place)
                            try await site.instances.restart(place)
                        }
                    }
                }
            }
        }
    }
}

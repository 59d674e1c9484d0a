import Foundation
import Testing

extension SystemTests {
    /// The clock of the services jumps under load.
    @Suite struct ClockFaultTests {
        private static let library = [
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
        ].first { FileManager.default.fileExists(atPath: $0) }

        @Test func aClockThatJumpsNeitherStopsNorReordersTheLog() async throws {
            guard let library = Self.library else {
                print("aClockThatJumpsNeitherStopsNorReordersTheLog: skipped, libfaketime is not installed")
                return
            }
            try await TemporaryFolder.use { folder in
                let file = folder.appending(path: "time")
                try Data("+0".utf8).write(to: file)
                var plan = FaultSite.Plan()
                plan.environment = [
                    "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file.path(percentEncoded: false),
                    "FAKETIME_NO_CACHE": "1",
                    // Names the library a place that it would otherwise note in the environment, which it would move, and
                    // Swift finds a program's arguments beside it.
                    "FAKETIME_SHARED": "/entitled-no-semaphore /entitled-no-memory",
                    "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
                ]
                try await FaultSite.with("aClockThatJumpsNeitherStopsNorReordersTheLog", plan) { site in
                    for _ in 0..<FaultSite.rounds {
                        for offset in ["+2h", "-2h", "+400d", "+0"] {
                            try await site.suffer("clock at \(offset)") {
                                try Data(offset.utf8).write(to: file)
                                await site.wait(for: 100)
                            }
                        }
                    }
                }
            }
        }
    }
}

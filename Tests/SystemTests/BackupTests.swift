import Foundation
import Postgres
import Testing

extension SystemTests {
    /// The scripts that back up and restore, played on throwaway clusters with the built program.
    @Suite struct BackupTests {
        private static let isLong = ProcessInfo.processInfo.environment["ENTITLED_LONG"] != nil

        @Test(.enabled(if: isLong, "half a minute; ENTITLED_LONG=1, or make check-deploy"))
        func aLostClusterComesBackAndTheDrillFindsWhatIsMissing() async throws {
            let script = URL(filePath: #filePath).appending(path: "../../../deploy/backup/rehearse.sh").standardized
            let program = try RunningProgram(
                [],
                of: script.path(percentEncoded: false),
                environment: ["ENTITLED": Program.path]
            )
            #expect(await program.end() == 0, "\(program.output)\n\(program.errors)")
            for line in ["to the end: passed", "lacks its end: found", "a forged checkpoint: found", "all passed"] {
                #expect(program.output.contains(line))
            }
        }
    }
}

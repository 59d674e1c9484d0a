import Foundation
import Testing

extension SystemTests {
    /// The unit of systemd, as systemd itself reads it.
    @Suite struct UnitFileTests {
        private static let unit = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/entitled.service")

        private static let hasSystemd = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")

        private static func analyze(_ arguments: [String]) throws -> (status: Int32, output: String) {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
            process.arguments = arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: data, as: UTF8.self))
        }

        @Test(.enabled(if: hasSystemd, "systemd-analyze is not installed")) func systemdFindsNothingWrong() async throws
        {
            try await TemporaryFolder.use { folder in
                // The program must be where the unit says.
                let text = try String(contentsOf: Self.unit, encoding: .utf8)
                let copy = folder.appending(path: "entitled.service")
                try Data(text.replacing("/usr/local/bin/entitled", with: Program.path).utf8).write(to: copy)
                let path = copy.path(percentEncoded: false)
                let result = try await onOwnThread { try Self.analyze(["verify", "--man=no", path]) }
                #expect(result.status == 0, "\(result.output)")
                let complaints = result.output.split(separator: "\n").filter { $0.contains("entitled.service") }
                #expect(complaints == [])
            }
        }

        @Test(.enabled(if: hasSystemd, "systemd-analyze is not installed")) func itIsExposedNoMoreThanItMustBe()
            async throws
        {
            // In tenths: 1.1.
            let path = Self.unit.path(percentEncoded: false)
            let result = try await onOwnThread {
                try Self.analyze(["security", "--offline=true", "--threshold=11", path])
            }
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("1.1 OK"))
        }
    }
}

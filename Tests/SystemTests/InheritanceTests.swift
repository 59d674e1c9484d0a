import Foundation
import Glibc
import Testing

extension SystemTests {
    /// What these tests count of a program is the program's own.
    @Suite struct InheritanceTests {
        @Test func aStartedProgramHasNoDescriptorOfTheTests() async throws {
            // One that an exec would leave open, at a number that the program itself never comes to.
            let descriptor = fcntl(1, F_DUPFD, 700)
            try #require(descriptor >= 700)
            defer { close(descriptor) }
            try await ServeService.with { service in
                let folder = "/proc/\(service.program.processID)/fd"
                let numbers = try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { Int32($0) }
                #expect(numbers.contains(0))
                #expect(numbers.allSatisfy { $0 < 700 }, "\(numbers)")
            }
        }
    }
}

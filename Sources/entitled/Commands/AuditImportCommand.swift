import EntitlementDomain
import EventStore
import Foundation
import Synchronization
import X509

/// `entitled audit import`.
enum AuditImportCommand: Command {
    static let words = ["audit", "import"]
    static let summary = "Read exported files into an empty database."
    static let positional = "FILE…"
    static let options =
        [DatabaseOption.option, Option("log-only", nil, "leave the projections to 'entitled rebuild'")]
        + RebuildCommand.runOptions
    static let discussion = """
        Connect as the owner of a database that 'entitled migrate' has made. Every line is checked against the hash chain;
        the first that does not hold is named, and nothing is written then. Ranges that were exported one by one are named
        in order. Then the projections are made, as by 'entitled rebuild'; a service must not run before the end.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let paths = arguments.positional
        guard !paths.isEmpty else { throw CommandError(.usage, "name at least one exported file") }
        let configuration = try AuditDatabase.configuration(arguments)
        let lines = ArchiveLines(try paths.map { try ArchiveFile.Reader($0) }, names: paths)
        let progress = Progress()
        do {
            let report = try await AuditDatabase.run(configuration) {
                try await LogImport().run(
                    configuration,
                    archiveCount: paths.count,
                    progress: { progress.show($0) },
                    nextLine: { try lines.next() }
                )
            }
            progress.finish()
            print(
                """
                the log ends at position \(report.position), with \(report.textCount) signed texts
                last hash \(Hexadecimal.text(report.lastHash))
                """
            )
        } catch let error as ArchiveError {
            progress.finish()
            throw CommandError(.dataError, "\(lines.current): \(error)")
        }
        if arguments.has("log-only") {
            print("'entitled rebuild' makes the projections")
            return
        }
        let start = ContinuousClock.now
        let report = try await RebuildCommand.rebuild(configuration, arguments, progress)
        let seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1_000
        print(RebuildCommand.text(report, seconds: seconds))
    }
}

/// The lines of several files, one file after the other.
private final class ArchiveLines: Sendable {
    private let readers: [ArchiveFile.Reader]
    private let names: [String]
    private let place = Mutex((file: 0, isOver: false))

    init(_ readers: [ArchiveFile.Reader], names: [String]) {
        self.readers = readers
        self.names = names
    }

    /// The name of the file that was read last.
    var current: String { names[min(place.withLock { $0.file }, names.count - 1)] }

    /// The next line; nil at the end of each file.
    func next() throws -> [UInt8]? {
        let file = place.withLock { place in
            if place.isOver { place = (place.file + 1, false) }
            return place.file
        }
        guard file < readers.count else { return nil }
        let line = try readers[file].nextLine()
        if line == nil { place.withLock { $0.isOver = true } }
        return line
    }
}

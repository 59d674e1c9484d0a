import EventStore
import Foundation
import X509

/// `entitled audit export`.
enum AuditExportCommand: Command {
    static let words = ["audit", "export"]
    static let summary = "Write the log, or a range of it, to a file, with the signed texts behind it."
    static let positional = "FILE|-"
    static let options = [
        DatabaseOption.option,
        Option("from", "P", "first position; default the first that is there"),
        Option("to", "P", "last position; default the last"),
        Option("previous-hash", "HEX", "the hash before --from, when the events before it were archived"),
    ]
    static let discussion = """
        JSON Lines: one event a line, each with a digest over the file up to there, so that an altered or cut file is known
        for one. A name that ends in .gz is compressed by gzip; '-' is standard output. The file is checked by 'entitled
        audit verify --archive' and read by 'entitled audit import'. Keep the two last lines of what is printed elsewhere:
        they tell a file that somebody wrote anew from the one that was exported.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard let path = arguments.positional.first, arguments.positional.count == 1 else {
            throw CommandError(.usage, "name one file, or - for standard output")
        }
        let configuration = try AuditDatabase.configuration(arguments)
        var export = LogExport(
            from: try AuditDatabase.position("from", arguments),
            to: try AuditDatabase.position("to", arguments)
        )
        export.previousHash = try AuditDatabase.hash("previous-hash", arguments)
        let ready = export
        let progress = Progress(isQuiet: path == "-")
        let file = try ArchiveFile.Writer(path)
        do {
            let report = try await AuditDatabase.run(configuration) {
                try await ready.run(configuration, progress: { progress.show($0) }, write: { try file.write($0) })
            }
            try file.finish()
            progress.finish()
            if path != "-" {
                print(
                    """
                    positions \(report.from) to \(report.to) with \(report.textCount) signed texts are in \(path)
                    last hash \(Hexadecimal.text(report.lastHash))
                    digest of the archive \(Hexadecimal.text(report.digest))
                    """
                )
            }
        } catch {
            file.discard()
            throw error
        }
    }
}

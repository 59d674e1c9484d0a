import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import JSON
import X509

/// `entitled audit verify`.
enum AuditVerifyCommand: Command {
    static let words = ["audit", "verify"]
    static let summary = "Check the log's hash chain and the signed texts behind it."
    static let options = [
        DatabaseOption.option,
        Option("from", "P", "first position to check; default 1"),
        Option("to", "P", "last position to check; default the last"),
        Option("previous-hash", "HEX", "the hash before --from, when the events before it were archived"),
        Option("chain-only", nil, "leave out the signed texts"),
        Option("signatures", nil, "verify the App Store's signatures on them as well, offline, at their signing dates"),
        Option("trust-root", "FILE", "a further root certificate for --signatures, PEM or DER; may be repeated"),
        Option("xcode-certificate", "FILE", "a StoreKit test certificate for --signatures; may be repeated"),
        Option("checkpoint", "FILE", "a checkpoint that the log must agree with; may be repeated"),
        Option(
            "keys",
            "FILE",
            "the public keys of checkpoints: what /.well-known/jwks.json gave when they were signed"
        ),
        Option("archive", "FILE", "check an exported file instead of a database"),
        AuditDatabase.jobsOption,
        Option("json", nil, "print one JSON document instead of text"),
    ]
    static let discussion = """
        Every event's hash covers the event before it, so the log cannot be changed in the middle without a break in the
        chain. The first position that does not hold is named, with what is wrong there: a missing event, another hash, a
        signed text that is missing or was changed. Reads alone, beside a running service. Exit status 1 when the log does
        not hold.

        Who can write the database's files could write the whole chain anew from some event on. That is what checkpoints
        are for: keep them, and the keys, somewhere else.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let isJSON = arguments.has("json")
        if let path = arguments.value("archive") {
            try checkArchive(path)
            return
        }
        let configuration = try AuditDatabase.configuration(arguments)
        var verifier = ChainVerifier(
            from: try AuditDatabase.position("from", arguments),
            to: try AuditDatabase.position("to", arguments)
        )
        verifier.previousHash = try AuditDatabase.hash("previous-hash", arguments)
        verifier.checksEvidence = !arguments.has("chain-only")
        if arguments.has("signatures") {
            guard verifier.checksEvidence else {
                throw CommandError(.usage, "--signatures and --chain-only exclude each other")
            }
            verifier.evidenceCheck = try signatures(arguments)
        }
        verifier.anchors = try anchors(arguments)
        let jobs = try AuditDatabase.jobs(arguments)
        let progress = Progress(isQuiet: isJSON)
        let start = ContinuousClock.now
        let (ready, sessions) = (verifier, jobs)
        let report = try await AuditDatabase.run(configuration) {
            try await ready.verify(configuration, sessions: sessions) { progress.show($0) }
        }
        progress.finish()
        let seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1_000
        print(isJSON ? json(report, seconds).description : text(report, seconds))
        if !report.holds { throw CommandError(.checkFailed, "the log does not hold") }
    }

    /// What the checkpoints vouch for, once their signatures are good.
    private static func anchors(_ arguments: ParsedArguments) throws -> [ChainAnchor] {
        let paths = arguments.all("checkpoint")
        if paths.isEmpty { return [] }
        guard let keys = arguments.value("keys") else {
            throw CommandError(.usage, "--checkpoint needs --keys FILE, the public keys that signed it")
        }
        do {
            let verifier = try CheckpointVerifier(keySet: try JSONParser.parse(try CatalogFile.bytes(keys)))
            return try paths.map { path in
                let file = try CatalogFile.bytes(path)
                do throws(CheckpointVerifier.Failure) {
                    let checkpoint = try verifier.verify(file: file)
                    return ChainAnchor(position: checkpoint.position.number, hash: checkpoint.hash)
                } catch {
                    throw CommandError(.checkFailed, "\(path): \(error)")
                }
            }
        } catch let error as CheckpointVerifier.Failure {
            throw CommandError(.dataError, "\(keys): \(error)")
        } catch let error as JSONSyntaxError {
            throw CommandError(.dataError, "\(keys): \(error)")
        }
    }

    private static func checkArchive(_ path: String) throws {
        let file = try ArchiveFile.Reader(path)
        var check = ArchiveCheck()
        do {
            do {
                while let line = try file.nextLine() { try check.take(line) }
            } catch let cutOff as ArchiveCutOff {
                throw check.error(cutOff)
            }
            let report = try check.finish()
            print(
                """
                positions \(report.from) to \(report.to) hold, with \(report.textCount) signed texts
                last hash \(Hexadecimal.text(report.lastHash))
                digest of the archive \(Hexadecimal.text(report.digest))
                """
            )
        } catch let error as ArchiveError {
            print("\(path): \(error)")
            throw CommandError(.checkFailed, "the archive does not hold")
        }
    }

    private static func signatures(_ arguments: ParsedArguments) throws -> EvidenceCheck {
        func certificates(_ option: String) throws -> [Certificate] {
            try arguments.all(option).flatMap { path in
                do {
                    return try Certificate.load(file: [UInt8](Data(contentsOf: URL(filePath: path))))
                } catch {
                    throw CommandError(.noInput, "\(path) holds no certificate in PEM or DER that can be read")
                }
            }
        }
        let configuration = VerifierConfiguration(
            roots: AppleRoots.appStore + (try certificates("trust-root")),
            xcodeCertificates: try certificates("xcode-certificate"),
            chainCacheLifetime: .seconds(86_400)
        )
        return EvidenceSignatures(
            verifier: try SignedStatementVerifier(configuration),
            receipts: try ReceiptVerifier(configuration)
        ).check
    }

    private static func text(_ report: ChainReport, _ seconds: Double) -> String {
        var parts = ["\(report.eventCount) events"]
        if report.evidenceCount > 0 { parts.append("\(report.evidenceCount) signed texts") }
        if report.signatureCount > 0 { parts.append("\(report.signatureCount) signatures") }
        if report.erasedCount > 0 {
            parts.append("\(report.erasedCount) texts of erased accounts, which cannot be read")
        }
        if report.unverifiedCount > 0 { parts.append("\(report.unverifiedCount) receipts without a check") }
        let rate = seconds > 0 ? Int64(Double(report.eventCount) / seconds) : 0
        let work = "\(parts.joined(separator: ", ")) in \(seconds) s, \(rate) events/s"
        if let problem = report.problem {
            return "position \(problem.position): \(problem.message)\nchecked before: \(work)"
        }
        if report.eventCount == 0 { return "the log is empty" }
        return """
            positions \(report.from) to \(report.to) hold: \(work)
            last hash \(Hexadecimal.text(report.lastHash))
            """
    }

    private static func json(_ report: ChainReport, _ seconds: Double) -> JSONValue {
        var object = report.jsonObject
        object.set("seconds", JSONValue(seconds))
        return .object(object)
    }
}

extension ChainReport {
    /// The report as `--json` prints it.
    fileprivate var jsonObject: JSONObject {
        [
            "holds": JSONValue(holds), "from": JSONValue(from), "to": JSONValue(to),
            "position": .string(head.description), "events": JSONValue(eventCount),
            "evidence": JSONValue(evidenceCount), "signatures": JSONValue(signatureCount),
            "unverified": JSONValue(unverifiedCount), "erased": JSONValue(erasedCount),
            "lastHash": .string(Hexadecimal.text(lastHash)),
            "problem": problem.map { problem in
                [
                    "position": JSONValue(problem.position), "kind": .string(problem.kind.rawValue),
                    "message": .string(problem.message),
                ]
            } ?? .null,
        ]
    }
}

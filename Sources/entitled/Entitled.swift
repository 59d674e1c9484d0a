import EntitlementService
import Foundation

/// The command line: finds the command, runs it, turns what it throws into a message and an exit status.
@main
enum Entitled {
    private static let commands: [any Command.Type] = [
        ServeCommand.self, DevCommand.self, MigrateCommand.self, CatalogCheckCommand.self, CatalogImportCommand.self,
        CatalogShowCommand.self, KeysCreateCommand.self, KeysListCommand.self, KeysRevokeCommand.self,
        KeysRotateSigningCommand.self, AuditVerifyCommand.self, AuditReplayCommand.self, AuditExportCommand.self,
        AuditImportCommand.self, RebuildCommand.self,
        ScenarioRunCommand.self, SimulateStoryCommand.self, SimulateLoadCommand.self, SimulateTrafficCommand.self,
        SimulateReceiptCommand.self,
        SimulateAppStoreCommand.self, ReconcileCommand.self, DoctorCommand.self,
        BenchCommand.self,
    ]

    static func main() async {
        // A reader that went away (a closed pipe, a client that hung up) is an error of that write, not the end of all.
        _ = signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try await run(arguments)
        } catch let error as CommandError {
            fail(error.status, error.message)
        } catch {
            let known = CommandError(ofDatabase: error)
            fail(known?.status ?? .software, known?.message ?? "\(error)")
        }
    }

    private static func run(_ arguments: [String]) async throws {
        if arguments.first == "--version" {
            print("entitled \(EntitlementServer.version)")
            return
        }
        if arguments.isEmpty || arguments.first == "--help" || arguments.first == "-h" || arguments.first == "help" {
            print(overview)
            return
        }
        let candidates = commands.sorted { $0.words.count > $1.words.count }
        guard let command = candidates.first(where: { arguments.starts(with: $0.words) }) else {
            let group = commands.filter { $0.words.first == arguments[0] }
            if !group.isEmpty, arguments.count == 1 || ["--help", "-h"].contains(arguments[1]) {
                print(
                    group.map { "entitled \($0.words.joined(separator: " "))\n    \($0.summary)" }.joined(
                        separator: "\n"
                    )
                )
                return
            }
            throw CommandError(
                .usage,
                "there is no command '\(arguments.prefix(2).joined(separator: " "))'; --help lists them"
            )
        }
        let parsed = try ParsedArguments(arguments.dropFirst(command.words.count), options: command.options)
        if parsed.wantsHelp {
            print(command.help)
            return
        }
        if command.positional.isEmpty, let extra = parsed.positional.first {
            throw CommandError(.usage, "'\(extra)' is not expected here; --help shows the usage")
        }
        try await command.run(parsed)
    }

    private static var overview: String {
        let width = commands.map { $0.words.joined(separator: " ").count }.max() ?? 0
        let rows = commands.map { command in
            let words = command.words.joined(separator: " ")
            return "  \(words)\(String(repeating: " ", count: width - words.count))  \(command.summary)"
        }
        return """
            entitled tells every backend of a company what an account is entitled to, and proves it.

            Usage: entitled COMMAND [options]

            \(rows.joined(separator: "\n"))

            'entitled COMMAND --help' explains one command; 'entitled --version' prints the version.
            """
    }

    private static func fail(_ status: ExitStatus, _ message: String) -> Never {
        FileHandle.standardError.write(Data("entitled: \(message)\n".utf8))
        exit(status.rawValue)
    }
}

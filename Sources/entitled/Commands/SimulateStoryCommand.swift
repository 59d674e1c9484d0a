import EntitlementDomain
import Foundation
import Simulator

/// `entitled simulate story`.
enum SimulateStoryCommand: Command {
    static let words = ["simulate", "story"]
    static let summary = "Play an account's purchases, renewals and refunds against a running service."
    static let options = [
        Option("url", "URL", "address of the service; default http://127.0.0.1:8080"),
        Option("key", "KEY", "API key with the scopes read and submit"),
        Option("chain", "DIR", "directory of the throwaway chain that the service trusts; default .entitled/chain"),
        Option("account", "UUID", "the account; default a new one"),
    ]
    static let discussion = "'entitled dev' prints this command with everything filled in."

    static func run(_ arguments: ParsedArguments) async throws {
        let address = arguments.value("url") ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address), url.host != nil else {
            throw CommandError(.usage, "--url must be an address such as http://127.0.0.1:8080, not '\(address)'")
        }
        guard let key = arguments.value("key") else { throw CommandError(.usage, "--key KEY is needed") }
        var setting = StorySetting.random(now: SystemClock.now())
        if let text = arguments.value("account") {
            guard let account = AccountID(text) else {
                throw CommandError(.usage, "--account must be a UUID, not '\(text)'")
            }
            setting.account = account
        }
        let directory = arguments.value("chain") ?? ".entitled/chain"
        let chain: ThrowawayChain
        do {
            chain = try ThrowawayChain(directory: URL(filePath: directory))
        } catch {
            throw CommandError(
                .noInput,
                "\(directory) holds no throwaway chain; 'entitled dev' makes one in its data directory"
            )
        }
        let story = Story(service: HTTPStoryService(url: url, key: key), signer: chain.signer, setting: setting)
        do {
            _ = try await story.play { print($0) }
        } catch let error as StoryError {
            throw CommandError(.unavailable, "\(error)")
        } catch let error as URLError {
            throw CommandError(.unavailable, "\(address) does not answer: \(error.localizedDescription)")
        }
        print("\nAsk yourself:\n")
        for line in StoryCommands.lines(url: url, key: key, setting: setting) { print(line + "\n") }
    }
}

import AppStore
import Foundation

/// The part of `entitled catalog import` that makes a catalog of a StoreKit configuration.
enum CatalogDrafting {
    /// Writes the catalog and tells what is left to do.
    ///
    /// - Parameter output: the file to write; nil or `-`: standard output.
    /// - Throws: `CommandError` of status data error with every problem of the configuration; of status usage when the
    ///   output is a file with other content and `force` is not set: it may be a catalog that somebody completed.
    static func run(path: String, _ bytes: [UInt8], output: String?, force: Bool) throws(CommandError) {
        let read: (configuration: StoreKitConfiguration, warnings: [StoreKitProblem])
        do {
            read = try StoreKitConfiguration.read(bytes)
        } catch {
            throw CommandError(.dataError, "\(path) has problems:\n\(error)")
        }
        let configuration = read.configuration
        for warning in read.warnings { tell("\(path): \(warning)") }
        let draft = CatalogDraft(configuration)
        let target = output == "-" ? nil : output
        if let target {
            try write(draft.bytes, to: target, force: force)
        } else {
            FileHandle.standardOutput.write(Data(draft.bytes))
        }
        let groups = configuration.groups.count
        tell(
            "\(path): StoreKit configuration \(configuration.version), \(configuration.productCount) products, "
                + (groups == 1 ? "1 subscription group" : "\(groups) subscription groups")
        )
        tellTasks(draft, target: target)
    }

    private static func tellTasks(_ draft: CatalogDraft, target: String?) {
        let name = target ?? "the catalog"
        let required = draft.tasks.filter(\.isRequired)
        let others = draft.tasks.filter { !$0.isRequired }
        if !required.isEmpty {
            tell("\nTo fill in, or \(name) is refused:")
            for task in required { tell("  \(task)") }
        }
        if !others.isEmpty {
            tell("\nTo look over, since the StoreKit configuration does not say it:")
            for task in others { tell("  \(task)") }
        }
        let file = target ?? "FILE"
        tell("\nThen: entitled catalog check \(file), and entitled catalog import \(file) puts it into force.")
    }

    private static func write(_ bytes: [UInt8], to path: String, force: Bool) throws(CommandError) {
        let url = URL(filePath: path)
        if let present = try? Data(contentsOf: url), !present.isEmpty, !force {
            if [UInt8](present) == bytes { return }
            throw CommandError(
                .usage,
                "\(path) exists with other content; name another file, or --force writes over it"
            )
        }
        do {
            try Data(bytes).write(to: url)
        } catch {
            throw CommandError(.usage, "\(path) cannot be written")
        }
    }

    /// Prints a line on standard error.
    static func tell(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}

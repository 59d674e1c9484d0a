/// A StoreKit configuration that cannot be used, with everything that is wrong with it.
package struct StoreKitConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of their lines; warnings are among them.
    package var problems: [StoreKitProblem]

    package init(problems: [StoreKitProblem]) {
        self.problems = problems
    }

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

// swift-tools-version: 6.2
// House rules of this manifest: one block per layer, from the bottom up; inside a layer alphabetical;
// an arrow (a dependency) only ever points to a lower layer (Tests/RepositoryTests checks it).
// Nothing outside the toolchain and the distribution is used, so there are no package dependencies.
import PackageDescription

/// One block of settings for every Swift target, tests included.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "entitled",
    targets: [
        // MARK: C libraries of the distribution
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibmicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),

        // MARK: 0 — pure values
        .target(name: "EntitlementDomain", swiftSettings: settings),
        .target(name: "JSON", swiftSettings: settings),

        // MARK: 1 — protocols, and the only targets that touch C
        .target(name: "HTTPServer", dependencies: ["CLibmicrohttpd"], swiftSettings: settings),
        .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: settings),
        .target(name: "Postgres", dependencies: ["CLibpq"], swiftSettings: settings),
        .target(name: "X509", dependencies: ["CLibcrypto"], swiftSettings: settings),
    ]
)

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
    products: [
        .executable(name: "entitled", targets: ["entitled"])
    ],
    targets: [
        // MARK: C libraries of the distribution
        .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibmicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),

        // MARK: 0 — pure values
        .target(name: "EntitlementDomain", swiftSettings: settings),
        .target(name: "JSON", swiftSettings: settings),

        // MARK: 1 — protocols, and the only targets that touch C
        .target(name: "Compression", dependencies: ["CZstd"], swiftSettings: settings),
        .target(name: "HTTPServer", dependencies: ["CLibmicrohttpd"], swiftSettings: settings),
        .target(name: "JSONRPC", dependencies: ["JSON"], swiftSettings: settings),
        .target(name: "Postgres", dependencies: ["CLibpq"], swiftSettings: settings),
        .target(name: "X509", dependencies: ["CLibcrypto"], swiftSettings: settings),

        // MARK: 2 — the interface: typed methods and wire types
        .target(
            name: "EntitlementAPI",
            dependencies: ["EntitlementDomain", "JSON", "JSONRPC"],
            resources: [.embedInCode("Discovery/examples.json")],
            swiftSettings: settings
        ),

        // MARK: 3 — the App Store's side and the log's side
        .target(name: "AppStore", dependencies: ["EntitlementDomain", "JSON", "X509"], swiftSettings: settings),
        .target(
            name: "EventStore",
            dependencies: ["Compression", "EntitlementDomain", "JSON", "Postgres", "X509"],
            exclude: ["README.md"],
            resources: [.embedInCode("Evidence/dictionary-1.bin"), .embedInCode("Schema/schema.sql")],
            swiftSettings: settings
        ),

        // MARK: 5 — what is composed of them
        .target(
            name: "EntitlementService",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EventStore", "HTTPServer", "JSON", "JSONRPC",
                "X509",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Simulator",
            dependencies: ["AppStore", "EntitlementDomain", "HTTPServer", "JSON", "X509"],
            swiftSettings: settings
        ),

        // MARK: 6 — the executable
        .executableTarget(
            name: "entitled",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
                "JSON", "Postgres", "Simulator", "X509",
            ],
            swiftSettings: settings
        ),

        // MARK: Tests
        .target(
            name: "Fuzzing",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
                "JSON", "JSONRPC", "Simulator", "X509",
            ],
            path: "Tests/Support/Fuzzing",
            swiftSettings: settings
        ),
        .target(
            name: "PostgresTesting",
            dependencies: ["Postgres"],
            path: "Tests/Support/PostgresTesting",
            swiftSettings: settings
        ),
        .target(
            name: "SchemaTesting",
            dependencies: ["JSON"],
            path: "Tests/Support/SchemaTesting",
            swiftSettings: settings
        ),
        .target(
            name: "StoreTesting",
            dependencies: ["Postgres", "X509"],
            path: "Tests/Support/StoreTesting",
            swiftSettings: settings
        ),
        .target(name: "TLSTesting", path: "Tests/Support/TLSTesting", swiftSettings: settings),
        .target(name: "TestKit", path: "Tests/Support/TestKit", swiftSettings: settings),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
                "JSON", "JSONRPC", "Postgres", "PostgresTesting", "SchemaTesting", "TLSTesting", "TestKit", "X509",
                "entitled",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AppStoreTests",
            dependencies: ["AppStore", "EntitlementDomain", "HTTPServer", "JSON", "Simulator", "TestKit", "X509"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CatalogTests",
            dependencies: ["AppStore", "EntitlementDomain", "EventStore", "JSON", "entitled"],
            swiftSettings: settings
        ),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "TestKit"], swiftSettings: settings),
        .testTarget(
            name: "EntitlementDomainTests",
            dependencies: ["EntitlementDomain", "TestKit"],
            swiftSettings: settings
        ),
        .testTarget(name: "FuzzTests", dependencies: ["Fuzzing", "TestKit"], swiftSettings: settings),
        .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "TLSTesting"], swiftSettings: settings),
        .testTarget(
            name: "EntitlementServiceTests",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
                "JSON", "Postgres", "PostgresTesting", "SchemaTesting", "Simulator", "TestKit", "X509",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EventStoreTests",
            dependencies: [
                "Compression", "EntitlementDomain", "EventStore", "JSON", "Postgres", "PostgresTesting", "StoreTesting",
                "TestKit", "X509",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FeedTests",
            dependencies: [
                "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
                "JSON",
                "Postgres", "PostgresTesting", "SchemaTesting", "TestKit", "X509",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "JSONRPCTests", dependencies: ["JSON", "JSONRPC", "TestKit"], swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestKit"], swiftSettings: settings),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "PostgresTesting", "TestKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PropertyTests",
            dependencies: ["EntitlementDomain", "JSON", "Simulator", "TestKit"],
            swiftSettings: settings
        ),
        .testTarget(name: "RepositoryTests", dependencies: ["EntitlementAPI", "JSON"], swiftSettings: settings),
        .testTarget(
            name: "SimulatorTests",
            dependencies: ["AppStore", "EntitlementDomain", "HTTPServer", "JSON", "Simulator", "TestKit", "X509"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "EntitlementDomain", "JSON", "Postgres", "PostgresTesting", "Simulator", "StoreTesting",
                "TLSTesting", "TestKit", "X509",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "X509Tests", dependencies: ["TestKit", "X509"], swiftSettings: settings),
    ]
)

// libFuzzer brings the main function of this program, so that only `make fuzz` can link it.
if Context.environment["ENTITLED_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: ["Fuzzing"],
            path: "Tests/Fuzz",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}

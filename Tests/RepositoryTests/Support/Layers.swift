/// The house's plan: which floor each target is on, and the only arrows between them. An arrow points to a lower floor.
/// Package.swift is compared with it; to change the one without the other is an accident, to change both is a decision.
enum Layers {
    static let floor: [String: Int] = [
        "CLibcrypto": 0, "CLibmicrohttpd": 0, "CLibpq": 0, "CZstd": 0, "EntitlementDomain": 0, "JSON": 0,
        "Compression": 1, "HTTPServer": 1, "JSONRPC": 1, "Postgres": 1, "X509": 1,
        "EntitlementAPI": 2,
        "AppStore": 3, "EventStore": 3,
        "EntitlementClient": 4,
        "EntitlementService": 5, "Simulator": 5,
        "entitled": 6,
    ]

    static let arrows: [String: Set<String>] = [
        "EntitlementDomain": [],
        "JSON": [],
        "Compression": ["CZstd"],
        "HTTPServer": ["CLibmicrohttpd"],
        "JSONRPC": ["JSON"],
        "Postgres": ["CLibpq"],
        "X509": ["CLibcrypto"],
        "EntitlementAPI": ["EntitlementDomain", "JSON", "JSONRPC"],
        "AppStore": ["EntitlementDomain", "JSON", "X509"],
        "EventStore": ["Compression", "EntitlementDomain", "JSON", "Postgres", "X509"],
        "EntitlementClient": ["EntitlementAPI", "EntitlementDomain", "JSON", "JSONRPC"],
        "EntitlementService": [
            "AppStore", "EntitlementAPI", "EntitlementDomain", "EventStore", "HTTPServer", "JSON", "JSONRPC", "X509",
        ],
        "Simulator": ["AppStore", "EntitlementDomain", "HTTPServer", "JSON", "X509"],
        "entitled": [
            "AppStore", "EntitlementAPI", "EntitlementDomain", "EntitlementService", "EventStore", "HTTPServer",
            "JSON", "Postgres", "Simulator", "X509",
        ],
    ]

    /// The targets that may touch C, and with it pointers.
    static let facingC: Set<String> = ["Compression", "HTTPServer", "Postgres", "X509"]

    /// What comes with the compiler. EntitlementDomain takes not even these.
    static let toolchain: Set<String> = [
        "Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Swift", "Synchronization",
    ]
}

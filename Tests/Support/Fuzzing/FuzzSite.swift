import AppStore
import EntitlementDomain
import Simulator
import X509

/// A service's view of the App Store, with a throwaway chain in Apple's place.
struct FuzzSite: Sendable {
    let chain: ThrowawayChain
    let statements: StatementReader
    let receipts: ReceiptReader
    let xcode: XcodeSigner

    /// The one app that is ours.
    static let bundleID = "com.example.app"
    static let appAppleID: Int64 = 1_234_567_890
    /// Within the chain's validity.
    static let now = Instant(milliseconds: 1_775_001_600_000)

    static let shared: FuzzSite = {
        do {
            return try FuzzSite()
        } catch {
            fatalError("the throwaway chain cannot be made: \(error)")
        }
    }()

    private init() throws {
        chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
        xcode = try XcodeSigner.make(validity: ScenarioSigning.validity)
        let configuration = VerifierConfiguration(
            roots: [chain.root.certificate],
            xcodeCertificates: [xcode.certificate]
        )
        let policy = AppStorePolicy(
            apps: [FuzzSite.bundleID: FuzzSite.appAppleID],
            acceptedEnvironments: [.production, .sandbox],
            acceptsXcode: true
        )
        statements = StatementReader(verifier: try SignedStatementVerifier(configuration), policy: policy)
        receipts = ReceiptReader(verifier: try ReceiptVerifier(configuration), policy: policy)
    }
}

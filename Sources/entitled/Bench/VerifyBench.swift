import AppStore
import EntitlementDomain
import Foundation
import Simulator
import X509

/// Warm verifications of an uploaded transaction on one core, payload decoded.
struct VerifyBench {
    let site: BenchSite
    let rounds: BenchRounds

    func run() async throws -> BenchResult {
        let chain = site.environment.chain
        let reader = StatementReader(
            verifier: try SignedStatementVerifier(VerifierConfiguration(roots: [chain.root.certificate])),
            policy: AppStorePolicy(
                apps: [DevEnvironment.bundleID: DevEnvironment.appAppleID],
                acceptedEnvironments: [.production],
                acceptsXcode: false
            )
        )
        let requests = try await LoadPlan(accounts: 2_000, seed: 5)
            .requests(0..<2_000, as: .upload, signedBy: chain.signer)
        let texts = try requests.map { try BenchStatement.signedTransaction(in: $0.body) }
        let (references, rates) = try await rounds.run { seconds in
            try await OpenSSLSpeed.verifications(site.tools, processes: 1, seconds: seconds, in: site.directory)
        } work: { _, seconds, _ in
            try Self.rate(reader, texts, seconds: seconds)
        }
        return BenchResult(
            name: "verify",
            work: "one warm verification on one core, payload decoded",
            reference: "openssl speed ecdsap256 verify, one core",
            rates: rates,
            referenceRates: references,
            budget: 0.8
        )
    }

    private static func rate(_ reader: StatementReader, _ texts: [String], seconds: Int) throws -> Double {
        let now = SystemClock.now()
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        var count = 0
        while ContinuousClock.now < end {
            for text in texts.prefix(500) { _ = try reader.readUpload(signedTransaction: text, now: now) }
            count += min(texts.count, 500)
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}

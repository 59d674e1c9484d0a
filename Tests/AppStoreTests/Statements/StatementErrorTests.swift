import AppStore
import Testing

struct StatementErrorTests {
    @Test func theReasonsAreThoseOfTheContract() {
        #expect(
            StatementError.Reason.allCases.map(\.rawValue) == [
                "invalidSignature", "invalidChain", "certificateExpired", "wrongBundle", "wrongEnvironment",
                "malformedStatement", "unavailable",
            ]
        )
    }

    @Test func aRefusalIsFinalUnlessSaidOtherwise() {
        #expect(StatementError(.wrongBundle, "x").isTemporary == false)
        #expect(StatementError(.certificateExpired, "x", isTemporary: true).isTemporary)
    }
}

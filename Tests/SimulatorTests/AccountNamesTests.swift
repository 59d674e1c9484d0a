import EntitlementDomain
import JSON
import Simulator
import Testing

@Suite struct AccountNamesTests {
    @Test func namesStandForUUIDsOfOneDigit() {
        #expect(AccountNames.account(named: "U1")?.description == "11111111-1111-4111-8111-111111111111")
        #expect(AccountNames.account(named: "U9")?.description == "99999999-9999-4999-8999-999999999999")
        for name in (1...9).map({ "U\($0)" }) {
            #expect(AccountNames.account(named: name).flatMap(AccountNames.name(of:)) == name)
        }
    }

    @Test(arguments: ["U0", "U10", "u1", "U", "", " U1", "11111111-1111-4111-8111-111111111111"])
    func otherTextsAreNoNames(text: String) {
        #expect(AccountNames.account(named: text) == nil)
    }

    @Test func wholeStringsAreReplacedAtAnyDepthAndNamesOfMembersAreNot() {
        let resolved = AccountNames.resolving(Fixtures.json(#"{"U1":"U1","list":["U2",{"a":"to U1"}],"n":1}"#))
        let expected = """
            {"U1":"11111111-1111-4111-8111-111111111111",
             "list":["22222222-2222-4222-8222-222222222222",{"a":"to U1"}],"n":1}
            """
        #expect(resolved == Fixtures.json(expected))
    }
}

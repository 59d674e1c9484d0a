import AppStore
import EntitlementDomain
import JSON
import Testing

struct MemberReaderTests {
    @Test(arguments: [
        (#""1001""#, "1001", false), (#""""#, nil, false), ("null", nil, false), ("1001", nil, true),
        ("true", nil, true), (#"["1001"]"#, nil, true), (#""a\u0000b""#, nil, true), (#""0""#, "0", false),
    ])
    func anIdentifierIsATextThatIsNotEmpty(json: String, expected: String?, isUnreadable: Bool) throws {
        var reader = MemberReader(try object(#"{"transactionId":\#(json)}"#))
        #expect(reader.identifier("transactionId") == expected)
        #expect(reader.unreadable == (isUnreadable ? ["transactionId"] : []))
    }

    @Test func anIdentifierHasALimit() throws {
        let longest = String(repeating: "7", count: MemberReader.identifierLimit)
        var reader = MemberReader(try object(#"{"a":"\#(longest)","b":"\#(longest)7"}"#))
        #expect(reader.identifier("a") == longest)
        #expect(reader.identifier("b") == nil)
        #expect(reader.unreadable == ["b"])
    }

    @Test(arguments: [
        (#""5C2A1B3D-0000-4000-8000-00000000000A""#, "5c2a1b3d-0000-4000-8000-00000000000a", false),
        (#""5c2a1b3d-0000-4000-8000-00000000000a""#, "5c2a1b3d-0000-4000-8000-00000000000a", false),
        (#""""#, nil, false), ("null", nil, false), (#""user-123""#, nil, true), ("7", nil, true),
        (#""5c2a1b3d000040008000000000000000a""#, nil, true),
    ])
    func aUUIDIsReadInEitherCaseAndElseAbsent(json: String, expected: String?, isUnreadable: Bool) throws {
        var reader = MemberReader(try object(#"{"appAccountToken":\#(json)}"#))
        #expect(reader.uuid("appAccountToken")?.description == expected)
        #expect(reader.unreadable == (isUnreadable ? ["appAccountToken"] : []))
    }

    @Test(arguments: [
        ("1772323200000", 1_772_323_200_000, false), ("1697679936049.7297", 1_697_679_936_049, false),
        ("-0.5", -1, false), ("0", 0, false), ("1.7723232e12", 1_772_323_200_000, false),
        ("-62135596800000", -62_135_596_800_000, false), ("-62135769600000", nil, true),
        ("253402300799999", 253_402_300_799_999, false), ("253402300800000", nil, true),
        ("99999999999999999999999", nil, true), ("1e400", nil, true), (#""2026-03-01T00:00:00Z""#, nil, true),
        (#""1772323200000""#, nil, true), ("false", nil, true), ("null", nil, false),
    ])
    func aTimeIsANumberOfMillisecondsInTheYearsOneTo9999(
        json: String,
        expected: Int64?,
        isUnreadable: Bool
    ) throws {
        var reader = MemberReader(try object(#"{"purchaseDate":\#(json)}"#))
        #expect(reader.instant("purchaseDate")?.milliseconds == expected)
        #expect(reader.unreadable == (isUnreadable ? ["purchaseDate"] : []))
    }

    @Test(arguments: [
        ("3", 3, false), ("3.0", 3, false), ("3.5", nil, true), ("2147483647", 2_147_483_647, false),
        ("2147483648", nil, true), ("-1", -1, false), (#""3""#, nil, true), ("null", nil, false),
    ])
    func aSmallIntegerFitsIn32Bits(json: String, expected: Int?, isUnreadable: Bool) throws {
        var reader = MemberReader(try object(#"{"quantity":\#(json)}"#))
        #expect(reader.smallInteger("quantity") == expected)
        #expect(reader.unreadable == (isUnreadable ? ["quantity"] : []))
    }

    @Test(arguments: [("true", true, false), ("false", false, false), ("1", nil, true), (#""true""#, nil, true)])
    func aFlagIsTrueOrFalse(json: String, expected: Bool?, isUnreadable: Bool) throws {
        var reader = MemberReader(try object(#"{"isUpgraded":\#(json)}"#))
        #expect(reader.flag("isUpgraded") == expected)
        #expect(reader.unreadable == (isUnreadable ? ["isUpgraded"] : []))
    }

    @Test func theLastOfSeveralMembersWithOneNameCounts() throws {
        var reader = MemberReader(try object(#"{"bundleId":"a","x":1,"bundleId":"b"}"#))
        #expect(reader.identifier("bundleId") == "b")
    }

    @Test func namesThatLookAlikeAreToldApart() throws {
        var reader = MemberReader(try object(#"{"offerXxxe":"wrong","":"empty","o":"short","offerType":"right"}"#))
        #expect(reader.text("offerType") == "right")
        #expect(reader.text("o") == "short")
        #expect(reader.text("") == "empty")
        #expect(reader.text("offerTyp") == nil)
    }

    @Test func aListKeepsWhatCanBeRead() throws {
        var reader = MemberReader(try object(#"{"a":["x",1,"y"],"b":["x"],"c":"x","d":[{"k":1},"x"]}"#))
        #expect(reader.texts("a") == ["x", "y"])
        #expect(reader.texts("b") == ["x"])
        #expect(reader.texts("c") == nil)
        #expect(reader.objects("d")?.count == 1)
        #expect(reader.unreadable == ["a", "c", "d"])
    }
}

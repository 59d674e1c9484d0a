import EntitlementDomain
import Testing

@Suite struct InstantTests {
    @Test(arguments: [
        ("2026-04-01T00:00:00Z", "2026-04-01T00:00:00.000Z"),
        ("2026-04-01T02:00:00+02:00", "2026-04-01T00:00:00.000Z"),
        ("2026-03-31T19:30:00.5-0430", "2026-04-01T00:00:00.500Z"),
        ("2024-02-29", "2024-02-29T00:00:00.000Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"),
    ])
    func iso8601IsReadAndWritten(text: String, written: String) {
        #expect(Instant(iso8601: text)?.iso8601 == written)
    }

    @Test(arguments: [
        "", "2026", "2026-02-30", "2026-13-01", "2026-04-01T24:00:00Z", "2026-04-01T00:00:00", "2026-04-01T00:00:00ZZ",
        "0000-01-01", "2026-04-01T00:60:00Z",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test func everyDayOfFourCenturiesSurvives() {
        for day in stride(from: Int64(-146_097), through: 146_097, by: 1) {
            #expect(CivilDate(daysSince1970: day).daysSince1970 == day)
        }
    }
}

@Suite struct CalendarDurationTests {
    @Test(arguments: [
        ("P1M", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00.000Z"),
        ("P1Y", "2024-02-29T00:00:00Z", "2025-02-28T00:00:00.000Z"),
        ("P30D", "2026-03-01T00:00:00Z", "2026-03-31T00:00:00.000Z"),
        ("P1Y2M3DT4H5M6S", "2026-01-01T00:00:00Z", "2027-03-04T04:05:06.000Z"),
        ("P2W", "2026-01-01T00:00:00Z", "2026-01-15T00:00:00.000Z"),
    ])
    func itIsAddedOnTheCalendar(duration: String, start: String, end: String) throws {
        let span = try #require(CalendarDuration(iso8601: duration))
        #expect(Sample.date(start).adding(span).iso8601 == end)
    }

    @Test(arguments: ["", "P", "PT", "P1", "1M", "P-1D", "P1M1Y", "P1.5D", "P1DT", "PT1D"])
    func anythingElseIsRefused(text: String) {
        #expect(CalendarDuration(iso8601: text) == nil)
    }
}

@Suite struct AccountIDTests {
    @Test func uuidsCompareByValue() {
        #expect(
            AccountID("A1B2C3D4-0000-4000-8000-0000000000FF")?.description == "a1b2c3d4-0000-4000-8000-0000000000ff"
        )
    }

    @Test(arguments: ["", "user-123", "a1b2c3d4000040008000000000000000ff", "{a1b2c3d4-0000-4000-8000-0000000000ff}"])
    func anythingElseIsNoAccount(text: String) {
        #expect(AccountID(text) == nil)
    }
}

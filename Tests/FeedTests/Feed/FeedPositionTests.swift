import EntitlementDomain
import Testing

@Suite struct FeedPositionTests {
    @Test(arguments: [
        ("1:42", FeedPosition(LogPosition(epoch: 1, number: 42))),
        ("1:42.3", FeedPosition(LogPosition(epoch: 1, number: 42), ordinal: 3)),
        ("12:0.10", FeedPosition(LogPosition(epoch: 12, number: 0), ordinal: 10)),
    ])
    func itIsWrittenAndRead(text: String, place: FeedPosition) {
        #expect(FeedPosition(text) == place)
        #expect(place.description == text)
    }

    @Test(arguments: [
        "", "1", "1:", ":1", "1:2.", "1:2.x", "1:2.-1", "1:2.3.4", "1.2:3", "-1:2", "1:2.99999999999999999999",
    ])
    func nothingElseIsRead(text: String) {
        #expect(FeedPosition(text) == nil)
    }

    @Test func theOrdinalCountsAsANumber() {
        let places = ["1:9", "1:10", "1:10.2", "1:10.10", "1:11", "2:0"].compactMap { FeedPosition($0) }
        #expect(places.count == 6)
        #expect(places.shuffled().sorted() == places)
    }
}

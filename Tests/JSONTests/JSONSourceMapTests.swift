import JSON
import Testing

@Suite struct JSONSourceMapTests {
    private let document = """
        {
          "products": [
            { "id": "a", "days": 30 },
            { "id": "é", "days": 7, "id": "b" }
          ],
          "x/y~": null,
          "products2": 1, "x/y~": 2
        }
        """

    @Test func everyValueHasItsLineAndColumn() throws {
        let map = try JSONSourceMap(Array(document.utf8))
        func place(_ path: [JSONPathElement]) -> String? { map.position(of: path)?.description }
        #expect(place([]) == "line 1, column 1")
        #expect(place(["products"]) == "line 2, column 15")
        #expect(place(["products", 0]) == "line 3, column 5")
        #expect(place(["products", 0, "days"]) == "line 3, column 26")
        #expect(place(["products", 1, "id"]) == "line 4, column 35")
        #expect(map.keyPosition(of: ["products", 1, "days"])?.description == "line 4, column 18")
        #expect(place(["products", 2]) == nil)
        #expect(place(["nothing"]) == nil)
        #expect(map.nearestPosition(to: ["products", 1, "name"]).description == "line 4, column 5")
        #expect(map.nearestPosition(to: ["nothing", 1]).line == 1)
    }

    @Test func repeatedNamesAreReportedWithBothPlaces() throws {
        let map = try JSONSourceMap(Array(document.utf8))
        #expect(map.duplicateKeys.map { $0.path.pointer } == ["/products/1/id", "/x~1y~0"])
        #expect(map.duplicateKeys.map { $0.first.description } == ["line 4, column 7", "line 6, column 3"])
        #expect(map.duplicateKeys.map { $0.again.description } == ["line 4, column 29", "line 7, column 19"])
    }
}

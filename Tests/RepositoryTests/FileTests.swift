import Testing

/// Files: their length, their names, and what must not be left in them.
struct FileTests {
    /// Files of code past the limit, and why.
    private static let longFiles: [String: String] = [:]
    private static let longestFile = 400

    /// Files that are read as text: sources, documents and scripts, not fixtures.
    private static func texts() throws -> [(path: String, text: String)] {
        try Repository.files().filter { !$0.hasPrefix("Tests/Fixtures/") }
            .compactMap { path in try Repository.textIfAny(path).map { (path, $0) } }
    }

    @Test func noFileOfCodeIsLongerThanItHasAReasonToBe() throws {
        var exceptions = Self.longFiles
        for file in try Repository.files(suffix: ".swift") {
            let count = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false).count - 1
            if exceptions.removeValue(forKey: file) != nil {
                #expect(count > Self.longestFile, "\(file) needs no exception any more")
            } else {
                #expect(count <= Self.longestFile, "\(file) has \(count) lines; split it, or give a reason here")
            }
        }
        #expect(exceptions.isEmpty, "files that are no more: \(exceptions.keys.sorted())")
    }

    @Test func noTwoFilesOfATargetHaveTheSameName() throws {
        for target in try Manifest.current.get().swift {
            let files = try Repository.files(under: target.folder, suffix: ".swift")
            let names = Dictionary(grouping: files) { $0.split(separator: "/").last ?? "" }
            for (name, paths) in names where paths.count > 1 {
                Issue.record("\(target.name) has \(name) more than once: \(paths.joined(separator: ", "))")
            }
        }
    }

    @Test func nothingIsLeftForLater() throws {
        let marks = ["TO", "FIX"].map { $0 + ($0 == "TO" ? "DO" : "ME") }
        for (path, text) in try Self.texts() {
            for mark in marks {
                #expect(!text.contains(mark), "\(path) has a \(mark)")
            }
        }
    }

    @Test func noFileNamesAPlaceOfOneMachine() throws {
        let places = ["work", "root", "home"].map { "/\($0)/" }
        for (path, text) in try Self.texts() {
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                for place in places {
                    for range in line.ranges(of: place) {
                        let before =
                            range.lowerBound > line.startIndex ? line[line.index(before: range.lowerBound)] : " "
                        let isInsidePath = before.isLetter || before.isNumber || "._-$})".contains(before)
                        #expect(isInsidePath, "\(path):\(index + 1) names \(place)")
                    }
                }
            }
        }
    }

    @Test func everyTextEndsWithOneLineBreak() throws {
        let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        for (path, text) in try Self.texts() where !text.isEmpty && path != "LICENSE" {
            // Bytes: to Swift a carriage return and a line feed are one character.
            let bytes = Array(text.utf8)
            let lineFeeds = bytes.reversed().prefix { $0 == lineFeed }.count
            #expect(lineFeeds == 1, "\(path) ends with \(lineFeeds) line breaks")
            #expect(!bytes.contains(carriageReturn), "\(path) has carriage returns")
        }
    }
}

import JSON
import Testing

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), (" true ", true), ("false", false), ("\t\r\n0", 0),
            ("-0", JSONValue.number(JSONNumber("-0")!)),
            ("1e2", .number(JSONNumber("1e2")!)), ("1E+2", .number(JSONNumber("1E+2")!)), ("\"\"", ""), ("\"a\"", "a"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00""#, "😀"), ("\"😀é\u{7F}\"", "😀é\u{7F}"), (#""\u0000""#, "\u{0}"),
            ("[]", []), ("[ ]", []), ("[1,[2],{}]", [1, [2], [:]]), ("{}", [:]), ("{ }", [:]),
            (#"{"a":1,"b":{"c":[null]}}"#, ["a": 1, "b": ["c": [nil]]]), (#"{"":0}"#, ["": 0]),
            ("\"\u{2028}\u{10FFFF}\"", "\u{2028}\u{10FFFF}"),
        ] as [(String, JSONValue)]
    )
    func validTextIsRead(text: String, expected: JSONValue) throws {
        #expect(try JSONParser.parse(text) == expected)
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#, #""\ud800\ud800""#,
        #""\udfff\ud800""#,
    ])
    func surrogateEscapesWithoutPartnerBecomeReplacementCharacters(text: String) throws {
        let value = try #require(try JSONParser.parse(text).stringValue)
        #expect(value.unicodeScalars.first == "\u{FFFD}")
    }

    @Test func unpairedHighSurrogateDoesNotSwallowWhatFollows() throws {
        #expect(try JSONParser.parse(#""\ud800\ud83d\ude00""#) == "\u{FFFD}😀")
        #expect(try JSONParser.parse(#""\ud800\u0041""#) == "\u{FFFD}A")
    }

    @Test(
        arguments: [
            ("", 0, JSONSyntaxError.Reason.emptyDocument), ("  \n", 3, .emptyDocument),
            ("\u{FEFF}1", 0, .byteOrderMark),
            ("nul", 3, .unexpectedEnd), ("nulL", 3, .unexpectedCharacter), ("True", 0, .unexpectedCharacter),
            ("1 2", 2, .trailingContent), ("{} x", 3, .trailingContent), ("[1]]", 3, .trailingContent),
            ("01", 1, .invalidNumber), ("-01", 2, .invalidNumber), ("1.", 2, .unexpectedEnd),
            ("1.a", 2, .invalidNumber),
            (".5", 0, .unexpectedCharacter), ("+1", 0, .unexpectedCharacter), ("-", 1, .unexpectedEnd),
            ("-a", 1, .invalidNumber), ("1e", 2, .unexpectedEnd), ("1e+", 3, .unexpectedEnd),
            ("1ex", 2, .invalidNumber),
            ("0x1", 1, .trailingContent), ("NaN", 0, .unexpectedCharacter), ("Infinity", 0, .unexpectedCharacter),
            ("\"", 1, .unexpectedEnd), ("\"a", 2, .unexpectedEnd), ("\"\\", 2, .unexpectedEnd),
            ("\"a\\\"", 4, .unexpectedEnd), (#""\u12""#, 1, .invalidEscape), (#""\u12"#, 5, .unexpectedEnd),
            (#""\x41""#, 1, .invalidEscape), (#""\u00g0""#, 1, .invalidEscape), ("\"a\nb\"", 2, .controlCharacter),
            ("\"\t\"", 1, .controlCharacter), ("\"\u{0}\"", 1, .controlCharacter), ("'a'", 0, .unexpectedCharacter),
            ("[", 1, .unexpectedEnd), ("[1", 2, .unexpectedEnd), ("[1,", 3, .unexpectedEnd),
            ("[1,]", 3, .unexpectedCharacter), ("[,1]", 1, .unexpectedCharacter), ("[1 2]", 3, .unexpectedCharacter),
            ("[1}", 2, .unexpectedCharacter), ("{", 1, .unexpectedEnd), ("{\"a\"", 4, .unexpectedEnd),
            ("{\"a\":", 5, .unexpectedEnd), ("{\"a\":1", 6, .unexpectedEnd), ("{\"a\":1,", 7, .unexpectedEnd),
            ("{\"a\":1,}", 7, .unexpectedCharacter), ("{a:1}", 1, .unexpectedCharacter),
            ("{1:1}", 1, .unexpectedCharacter),
            ("{\"a\" 1}", 5, .unexpectedCharacter), ("{\"a\":1 \"b\":2}", 7, .unexpectedCharacter),
            ("{,}", 1, .unexpectedCharacter), ("// c\n1", 0, .unexpectedCharacter), ("/**/1", 0, .unexpectedCharacter),
            ("\u{A0}1", 0, .unexpectedCharacter), ("[1\u{B}]", 2, .unexpectedCharacter), ("}", 0, .unexpectedCharacter),
            (",", 0, .unexpectedCharacter), ("\u{0}", 0, .unexpectedCharacter), ("1\u{0}", 1, .trailingContent),
        ] as [(String, Int, JSONSyntaxError.Reason)]
    )
    func invalidTextIsRefusedWithItsPlace(text: String, offset: Int, reason: JSONSyntaxError.Reason) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
        #expect(error?.offset == offset)
        #expect(error?.reason == reason)
    }

    @Test(
        arguments: [
            ([0x80], 1), ([0xC0, 0x80], 1), ([0xC1, 0xBF], 1), ([0xE0, 0x80, 0x80], 1), ([0xED, 0xA0, 0x80], 1),
            ([0xF0, 0x80, 0x80, 0x80], 1), ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF8, 0x88, 0x80, 0x80], 1), ([0xFF], 1),
            ([0xE2, 0x82], 1), ([0x61, 0xC3], 2), ([0xC3, 0x28], 1), ([0x5C, 0x6E, 0x80], 3),
        ] as [([UInt8], Int)]
    )
    func bytesThatAreNotUTF8AreRefused(content: [UInt8], offset: Int) {
        for document in [[0x22] + content + [0x22], Array("{\"k\":".utf8) + [0x22] + content + Array("\"}".utf8)] {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(document) }
            #expect(error?.reason == .invalidUTF8)
            #expect(error?.offset == offset + (document.count == content.count + 2 ? 0 : 5))
        }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(content) }
    }

    /// Long strings are looked at in blocks: no byte is overlooked wherever it stands in one.
    @Test func everyByteIsSeenAtEveryPlaceOfALongString() throws {
        let length = 70
        for place in 0..<length {
            for byte in UInt8(0)..<0x80 {
                var content = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                content[place] = byte
                let text = String(decoding: content, as: UTF8.self)
                #expect(try JSONParser.parse(JSONValue.string(text).serialized()) == .string(text))
                let raw = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
                if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                    #expect(try JSONParser.parse(raw) == .string(text))
                } else {
                    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(raw) }
                }
            }
            var content = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            content.replaceSubrange(place...place, with: "é".utf8)
            let text = String(decoding: content, as: UTF8.self)
            #expect(try JSONParser.parse([UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]) == .string(text))
            content[place + 1] = UInt8(ascii: "a")
            #expect(throws: JSONSyntaxError.self) {
                try JSONParser.parse([UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")])
            }
        }
    }

    @Test func lineAndColumnCountCharacters() {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONParser.parse("{\n  \"é😀\": x\n}") }
        #expect(error?.line == 2)
        #expect(error?.column == 9)
        #expect(error?.description == "line 2, column 9: this character cannot stand here")
    }

    @Test(arguments: [1, 2, 64, 512])
    func nestingIsAllowedUpToTheLimitAndNoFurther(limit: Int) throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth - 1) + (open == "[" ? "[]" : "{}")
                    + String(repeating: close, count: depth - 1)
            }
            _ = try JSONParser.parse(nested(limit), maxDepth: limit)
            let error = #expect(throws: JSONSyntaxError.self) {
                try JSONParser.parse(nested(limit + 1), maxDepth: limit)
            }
            #expect(error?.reason == .tooDeep(limit: limit))
        }
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func veryDeepNestingIsRefusedWithoutACrash(open: String) {
        let bytes = Array(String(repeating: open, count: 100_000).utf8)
        for maxDepth in [64, Int.max] {
            for attempt in [
                { _ = try JSONParser.parse(bytes, maxDepth: maxDepth) },
                { _ = try JSONSourceMap(bytes, maxDepth: maxDepth) },
                {
                    var scanner = try JSONScanner(Array("{\"k\":".utf8) + bytes, maxDepth: maxDepth)
                    while try scanner.next() != nil {}
                },
            ] as [() throws -> Void] {
                let error = #expect(throws: JSONSyntaxError.self) { try attempt() }
                #expect(error?.reason == .tooDeep(limit: min(maxDepth, 512)))
            }
        }
    }

    @Test func everyPrefixOfADocumentIsRefused() throws {
        let document = Array(#"{"a":[1.5e3,true,null,"x\u00e9\n€"],"b":{"c":false}}"#.utf8)
        _ = try JSONParser.parse(document)
        for count in 0..<document.count {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(document[..<count])) }
        }
    }

    @Test func randomTreesSurviveARoundTrip() throws {
        var random = RandomTrees()
        for _ in 0..<500 {
            let value = random.value(depth: 4)
            #expect(try JSONParser.parse(value.serialized()) == value, "seed \(random.seed)")
            #expect(try JSONParser.parse(value.prettySerialized()) == value, "seed \(random.seed)")
        }
    }

    @Test func randomDamageNeverCrashesAndAllReadersAgree() throws {
        var random = RandomTrees()
        for _ in 0..<2000 {
            var bytes = JSONValue.object(random.object(depth: 3)).serialized()
            for _ in 0..<Int.random(in: 1...3, using: &random.generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random.generator)
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random.generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("\"\\{}[],:0".utf8).randomElement(using: &random.generator)!, at: index)
                }
            }
            let parsed = Result { () throws(JSONSyntaxError) in try JSONParser.parse(bytes) }
            let mapped = Result { () throws(JSONSyntaxError) in try JSONSourceMap(bytes) }
            let scanned = Result { () throws(JSONSyntaxError) in
                var scanner = try JSONScanner(bytes)
                while try scanner.next() != nil {}
            }
            switch (parsed, mapped, scanned) {
            case (.success(let value), .success, .success): #expect(value.objectValue != nil)
            case (.success(let value), .success, .failure(let error)):
                #expect(value.objectValue == nil && error.reason == .notAnObject)
            case (.failure(let one), .failure(let two), .failure(let three)):
                #expect(one == two, "seed \(random.seed)")
                #expect(one == three || three.reason == .notAnObject, "seed \(random.seed)")
            default: Issue.record("readers disagree, seed \(random.seed): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}

import Testing

/// Where unsafe memory may be touched: in the targets that face C. The compiler makes every such expression say `unsafe`.
struct MemorySafetyTests {
    /// Files elsewhere that may, how often, and why.
    private static let exceptions: [String: (lines: Int, reason: String)] = [
        "Sources/EntitlementDomain/Encoding/ByteEncoder.swift": (1, "copies a text's UTF-8 without an array between"),
        "Sources/EventStore/Events/EventRow.swift": (2, "copies a text's UTF-8 without an array between"),
        "Sources/Simulator/Traffic/RawConnection.swift": (11, "talks to sockets byte by byte, as hostile clients do"),
        "Sources/entitled/Composition/StopSignal.swift": (2, "a signal handler may call little more than write"),
        "Sources/entitled/Composition/SystemClock.swift": (1, "reads the clock into a struct"),
    ]

    @Test func onlyTargetsThatFaceCUseUnsafeMemory() throws {
        var exceptions = Self.exceptions
        for target in try Manifest.current.get().product where !Layers.facingC.contains(target.name) {
            for file in try Repository.files(under: target.folder, suffix: ".swift") {
                let lines = try SwiftCode.file(file).lines.filter { SwiftCode.line($0, hasWord: "unsafe") }
                let allowed = exceptions.removeValue(forKey: file)?.lines ?? 0
                #expect(lines.count == allowed, "\(file) has \(lines.count) lines with unsafe, \(allowed) are allowed")
            }
        }
        #expect(exceptions.isEmpty, "files that are no more: \(exceptions.keys.sorted())")
    }

    /// Who takes a check away from the compiler says in one sentence what makes it true.
    @Test func everyUncheckedConformanceNamesItsGuard() throws {
        var count = 0
        for file in try Repository.files(under: "Sources", suffix: ".swift") {
            let source = try Repository.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            let code = try SwiftCode.file(file).lines
            for (index, line) in code.enumerated()
            where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
                count += 1
                let near = source[max(0, index - 16)...min(source.count - 1, index + 3)]
                let comments = near.filter { $0.trimmingPrefix { $0 == " " }.hasPrefix("//") }
                #expect(!comments.isEmpty, "\(file):\(index + 1) does not say what guards it")
            }
        }
        #expect(count > 0, "no conformance was found at all")
    }

    @Test func codeIsToldFromCommentsAndLiterals() {
        let code = SwiftCode(
            """
            // unsafe
            let a = "unsafe" /* unsafe /* unsafe */ unsafe */
            let b = #"unsafe " \\(unsafe)"#
            let c = "x \\(unsafe d("unsafe")) y"
            isUnsafe(unsafety)
            """
        )
        let hits = code.lines.enumerated().filter { SwiftCode.line($0.element, hasWord: "unsafe") }.map(\.offset)
        #expect(hits == [3])
        #expect(code.lines.count == 5)
    }
}

import Foundation
import Fuzzing

/// The entry of libFuzzer (LLVM documentation, "libFuzzer"): called with each input. Which target it goes to is said by
/// the variable `FUZZ_TARGET`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    do {
        try Fuzz.target.run(input)
    } catch {
        fatalError("\(Fuzz.target): \(error)")
    }
    return 0
}

/// Called once, before the first input. With `FUZZ_SEEDS=DIRECTORY` the target's seeds are put there first.
@_cdecl("LLVMFuzzerInitialize")
public func fuzzInitialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    if let path = ProcessInfo.processInfo.environment["FUZZ_SEEDS"] {
        for (place, seed) in Fuzz.target.seeds.enumerated() {
            try? Data(seed).write(to: URL(filePath: path).appending(path: "seed-\(place)"))
        }
    }
    return 0
}

private enum Fuzz {
    static let target: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("FUZZ_TARGET must be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return target
    }()
}

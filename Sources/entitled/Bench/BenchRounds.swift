/// Measures a work in turns with its reference.
struct BenchRounds {
    let count: Int
    let seconds: Int

    /// - Parameters:
    ///   - reference: measures the reference for so many seconds.
    ///   - work: measures the work; it gets the round's number and the reference's measure too.
    /// - Returns: one measure of each for every round but the first: in that one connections, memory and processor come to
    ///   speed.
    func run<Reference, Work>(
        reference: (_ seconds: Int) async throws -> Reference,
        work: (_ round: Int, _ seconds: Int, Reference) async throws -> Work
    ) async throws -> (references: [Reference], works: [Work]) {
        var references: [Reference] = []
        var works: [Work] = []
        for round in 0...count {
            let seconds = round == 0 ? 1 : seconds
            let measured = try await reference(seconds)
            let result = try await work(round, seconds, measured)
            if round == 0 { continue }
            references.append(measured)
            works.append(result)
        }
        return (references, works)
    }
}

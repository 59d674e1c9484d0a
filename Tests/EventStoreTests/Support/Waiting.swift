/// Waits until a condition holds, for a minute at most: a busy machine is no failure.
///
/// - Returns: whether it came to hold.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

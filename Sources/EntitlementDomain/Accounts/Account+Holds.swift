extension Account {
    /// Takes access from the sources that a hold is on: of the whole account, of their line, or of their entitlement.
    func applyHolds(to sources: inout [EntitlementSource], horizon: inout ChangeHorizon) {
        var lineHolds: [LineID: [Hold]] = [:]
        for line in lines where !line.holds.isEmpty { lineHolds[line.id] = line.holds }
        guard !state.holds.isEmpty || !lineHolds.isEmpty else { return }
        for hold in state.holds + lineHolds.values.flatMap(\.self) {
            horizon.note(hold.placedAt)
            horizon.note(hold.liftedAt)
        }
        for index in sources.indices {
            let source = sources[index]
            let concerning = state.holds + (source.lineID.flatMap { lineHolds[$0] } ?? [])
            let isHeld = concerning.contains { hold in
                hold.isOn(at: horizon.instant) && (hold.entitlement ?? source.entitlement) == source.entitlement
            }
            if isHeld { sources[index].isHeld = true }
        }
    }
}

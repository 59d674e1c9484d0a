extension Account {
    /// Takes access from the sources whose line belongs to an account that was erased. Only a read of the line itself meets
    /// such a source: the line is in nobody's account.
    func applyErasure(to sources: inout [EntitlementSource]) {
        let erased = Set(lines.lazy.filter(\.isErased).map(\.id))
        if erased.isEmpty { return }
        for index in sources.indices where sources[index].lineID.map(erased.contains) ?? false {
            sources[index].isErased = true
        }
    }
}

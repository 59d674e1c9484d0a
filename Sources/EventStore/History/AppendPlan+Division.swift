import EntitlementDomain

extension AppendPlan {
    /// Divides the lines that changed into heads and earlier transactions, once all requests are decided.
    ///
    /// - Returns: the lines for which their heads were not enough. They must be read whole, and all requests be decided
    ///   again from the start.
    mutating func divideLines() -> Set<LineID> {
        var long: Set<LineID> = []
        for id in changedLines.keys {
            let after = line(id)
            guard let divided = after.divided(after: lineBefore(id)) else {
                long.insert(id)
                continue
            }
            if after.cut == nil {
                historyChanges.add(id, divided.earlier, insteadOf: context.earlier[id] ?? [:])
            } else {
                historyChanges.add(id, divided.earlier)
            }
            context.lines[id] = divided.head
        }
        return long
    }
}

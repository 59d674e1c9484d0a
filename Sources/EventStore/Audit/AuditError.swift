/// Why an audit could not be made as it was asked for. Not a finding: what is wrong with the log is in the reports.
package enum AuditError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A range that the log does not have.
    case rangeOutside(from: Int64, to: Int64, last: Int64)
    /// The range begins behind events that are not in the database, and the hash before it was not given.
    case previousHashNeeded(from: Int64)
    /// The range does not follow from the hash that was given for the event before it.
    case previousHashWrong(from: Int64)
    /// Another rebuild works on the same database, and did not end within seconds.
    case rebuildUnderWay
    /// Objects that depend on the projections and cannot be moved to a new generation.
    case dependents([String])
    /// An archive can only be imported into an empty database.
    case logNotEmpty(position: Int64)

    package var description: String {
        switch self {
        case .rangeOutside(let from, let to, let last):
            "positions \(from) to \(to) are no range of this log, which has positions 1 to \(last)"
        case .previousHashNeeded(let from):
            "position \(from - 1) is not in the database, so the hash before position \(from) must be given: it is the "
                + "last hash of the archive that ends there"
        case .previousHashWrong(let from):
            "the event of position \(from) does not follow from the hash that was given for the one before it"
        case .logNotEmpty(let position):
            "the database has a log already, up to position \(position); an archive is imported into an empty one"
        case .rebuildUnderWay:
            "another rebuild is under way in this database and goes on; start this one again when it has ended"
        case .dependents(let objects):
            "these objects depend on the projections and must be dropped first, and made again afterwards (plain views of "
                + "one's own may stay): \(objects.joined(separator: ", "))"
        }
    }
}

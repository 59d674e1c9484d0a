/// The columns of an event with its hash in the chain: all of its row in table `events`.
struct HashedRow: Sendable {
    var row: EventRow
    var hash: [UInt8]
}

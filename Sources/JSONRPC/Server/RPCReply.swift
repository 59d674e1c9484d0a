/// What a server has to say to a body.
package enum RPCReply: Sendable {
    /// Known already; nil when nothing is to be answered (all calls were notifications).
    case now([UInt8]?)
    /// To be found out by running this, once.
    case later(@Sendable () async -> [UInt8]?)
}

import Dispatch
import Glibc

/// The operator's wish that files be read again: SIGHUP. Without it the signal would end the program.
struct ReloadSignal {
    private let source: any DispatchSourceSignal

    /// Listens from now on.
    ///
    /// - Parameter body: runs at each signal, one after the other; signals that come together may count once.
    init(_ body: @escaping @Sendable () -> Void) {
        _ = signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "entitled.reload"))
        source.setEventHandler(handler: body)
        source.activate()
    }

    /// Does nothing at further signals.
    func end() {
        source.cancel()
    }
}

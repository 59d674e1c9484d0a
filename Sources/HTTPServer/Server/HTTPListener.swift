import CLibmicrohttpd
import Dispatch
import Glibc
import Synchronization

/// A running HTTP/1.1 server over libmicrohttpd.
///
///     let listener = try HTTPListener.start(configuration, handler: handler)
///     print("listening on port \(listener.port)")
///     await listener.stop(within: .seconds(10))
///
/// It must be stopped; letting go of it does not stop it.
@safe package final class HTTPListener: @unchecked Sendable {
    // The daemon pointer is only used by `stop`, which the lock lets in once.

    /// How often slow and vanished clients are looked for.
    private static let watchInterval = DispatchTimeInterval.milliseconds(200)
    /// How long nothing may be seen to do before the daemon is stopped. A request that libmicrohttpd has read but not
    /// handed over yet is seen nowhere; on a busy machine the thread that does it may be kept waiting.
    private static let quietTime = Duration.milliseconds(20)

    /// The port listened on.
    package let port: UInt16

    private let core: ServerCore
    private let daemon: OpaquePointer
    private let descriptor: Int32
    private let watch: any DispatchSourceTimer
    private let isStopped = Mutex(false)

    /// Starts to listen and to serve.
    ///
    /// - Throws: `HTTPServerError`, which names what to change.
    package static func start(
        _ configuration: HTTPServerConfiguration,
        handler: any HTTPHandler
    ) throws(HTTPServerError) -> HTTPListener {
        try configuration.validate()
        let tls = try configuration.tls.map { tls throws(HTTPServerError) in
            TLSCredentialHolder(try TLSCredentials(tls))
        }
        let socket = try ListeningSocket(address: configuration.address, port: configuration.port)
        let core = ServerCore(configuration, handler: handler, tls: tls)
        // Retained for the C library until it has stopped.
        let closure = unsafe Unmanaged.passRetained(core)
        guard let daemon = unsafe startDaemon(configuration, socket, closure.toOpaque()) else {
            unsafe closure.release()
            close(socket.descriptor)
            throw configuration.tls == nil
                ? .failed(reason: "libmicrohttpd refused to start")
                : .tlsRefused(reason: "check that both are PEM texts and belong together")
        }
        return unsafe HTTPListener(core: core, daemon: daemon, socket: socket)
    }

    private init(core: ServerCore, daemon: OpaquePointer, socket: ListeningSocket) {
        self.core = core
        unsafe self.daemon = daemon
        descriptor = socket.descriptor
        port = socket.port
        let interval = HTTPListener.watchInterval
        watch = DispatchSource.makeTimerSource(queue: .global())
        watch.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(50))
        watch.setEventHandler { core.watch() }
        watch.activate()
    }

    /// What has been done so far.
    package var counters: HTTPServerCounters { core.counters.snapshot }

    /// When the certificate holds that is served now; nil for plain HTTP.
    package var tlsValidity: TLSValidity? { core.tls?.current.validity }

    /// Serves another certificate, or asks clients for others: on connections opened from now on. Those that are open
    /// go on as they began.
    ///
    /// - Returns: when the new certificate holds.
    /// - Throws: `HTTPServerError` when the new ones cannot be used now; what was served is served on.
    package func replace(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) -> TLSValidity {
        guard let holder = core.tls else {
            throw .invalidConfiguration(reason: "a server of plain HTTP has no certificate to replace")
        }
        let credentials = try TLSCredentials.current(tls)
        holder.replace(credentials)
        return credentials.validity
    }

    /// Stops accepting connections, lets the accepted requests be answered, then closes everything.
    ///
    /// Accepted is what the system has taken in: also a connection that still waits in its queue, and a request that
    /// still lies in its socket.
    ///
    /// - Parameter limit: how long the requests may take. After that their work is cancelled and they stay unanswered.
    package func stop(within limit: Duration = .seconds(10)) async {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        core.isDraining.store(true, ordering: .relaxed)
        unsafe MHD_quiesce_daemon(daemon)
        admitWaiting()
        // A new client is refused by the system from now on, instead of waiting for a server that will not come.
        shutdown(descriptor, Int32(SHUT_RDWR))
        let deadline = ContinuousClock.now + limit
        // Looked at again and again rather than signalled: a signal would cost every request of the server's life.
        var lastBusy = ContinuousClock.now
        while ContinuousClock.now < deadline {
            if !core.isQuiet { lastBusy = .now }
            if ContinuousClock.now - lastBusy >= HTTPListener.quietTime { break }
            try? await Task.sleep(for: .milliseconds(5))
        }
        core.suspensions.close()
        await withCheckedContinuation { continuation in
            // Joins the library's threads, so not on a thread of Swift's pool.
            DispatchQueue.global().async { [self] in
                unsafe MHD_stop_daemon(daemon)
                continuation.resume()
            }
        }
        watch.cancel()
        // Not before the daemon has stopped (manual, MHD_quiesce_daemon).
        close(descriptor)
        unsafe Unmanaged.passUnretained(core).release()
    }

    /// Takes in the connections that wait to be accepted: with the listening socket the system would reset them, though
    /// to their clients they are open and may have sent a request.
    private func admitWaiting() {
        // As large as any address, and as aligned (sockaddr_storage).
        unsafe withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { storage in
            guard let address = unsafe storage.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            while true {
                var length = socklen_t(storage.count)
                let accepted = unsafe accept(descriptor, address, &length)
                if accepted >= 0 {
                    // Makes it non-blocking, and closes it when it cannot be served.
                    _ = unsafe MHD_add_connection(daemon, accepted, address, length)
                } else if errno != EINTR && errno != ECONNABORTED {
                    return
                }
            }
        }
    }

    private static func startDaemon(
        _ configuration: HTTPServerConfiguration,
        _ socket: ListeningSocket,
        _ core: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        if socket.isIPv6 { flags |= MHD_USE_IPv6.rawValue }
        if configuration.tls != nil { flags |= MHD_USE_TLS.rawValue }

        let threads = configuration.threads > 0 ? configuration.threads : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var options = DaemonOptions()
        options.add(.LISTEN_SOCKET, Int(socket.descriptor))
        if threads > 1 { options.add(.THREAD_POOL_SIZE, threads) }
        options.add(.CONNECTION_LIMIT, max(configuration.maximumConnections, threads))
        options.add(.PER_IP_CONNECTION_LIMIT, configuration.maximumConnectionsPerAddress)
        options.add(.CONNECTION_TIMEOUT, Int(configuration.idleTimeout.components.seconds))
        // Half of a connection's memory is for reading at first; the header fields of a response need room too. Not
        // more than that: the library clears all of it after each request.
        options.add(.CONNECTION_MEMORY_LIMIT, 2 * configuration.maximumHeaderBytes + 4 * 1024)
        options.add(.CONNECTION_MEMORY_INCREMENT, 4096)
        options.add(.STRICT_FOR_CLIENT, 1)
        unsafe options.add(.NOTIFY_CONNECTION, Callbacks.connection, core)
        unsafe options.add(.NOTIFY_COMPLETED, Callbacks.completed, core)
        unsafe options.add(.URI_LOG_CALLBACK, Callbacks.target, core)
        unsafe options.add(.UNESCAPE_CALLBACK, Callbacks.unescape, core)

        guard let tls = configuration.tls else {
            return unsafe options.withPointer { unsafe entitled_mhd_start(flags, Callbacks.access, core, $0) }
        }
        return unsafe tls.certificatePEM.withCString { certificate in
            unsafe tls.privateKeyPEM.withCString { key in
                unsafe options.add(.HTTPS_MEM_CERT, UnsafeMutableRawPointer(mutating: certificate))
                unsafe options.add(.HTTPS_MEM_KEY, UnsafeMutableRawPointer(mutating: key))
                return unsafe TLSCredentials.priorities.withCString { priorities in
                    unsafe options.add(.HTTPS_PRIORITIES, UnsafeMutableRawPointer(mutating: priorities))
                    return unsafe options.withPointer { unsafe entitled_mhd_start(flags, Callbacks.access, core, $0) }
                }
            }
        }
    }
}

extension HTTPServerConfiguration {
    /// Refuses settings that make no sense, before anything is opened.
    fileprivate func validate() throws(HTTPServerError) {
        if maximumBodyBytes < 0 { throw .invalidConfiguration(reason: "maximumBodyBytes is negative") }
        if maximumHeaderBytes < 256 { throw .invalidConfiguration(reason: "maximumHeaderBytes is below 256") }
        if maximumConnections < 1 { throw .invalidConfiguration(reason: "maximumConnections is below 1") }
        if maximumConnectionsPerAddress < 0 {
            throw .invalidConfiguration(reason: "maximumConnectionsPerAddress is negative")
        }
        if threads < 0 || threads > 256 { throw .invalidConfiguration(reason: "threads is not within 0 to 256") }
        if idleTimeout < .seconds(1) { throw .invalidConfiguration(reason: "idleTimeout is below one second") }
        if requestTimeLimit <= .zero { throw .invalidConfiguration(reason: "requestTimeLimit is not positive") }
        if tls != nil && MHD_is_feature_supported(.FEATURE_TLS) != .YES { throw .tlsNotSupported }
    }
}

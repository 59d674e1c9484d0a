import CLibmicrohttpd

/// The C functions libmicrohttpd calls. Each only finds the Swift object its closure stands for.
enum Callbacks {
    /// A connection was opened or is closed. Its object hangs on the connection between the two, retained.
    static let connection: MHD_NotifyConnectionCallback = { closure, handle, socketContext, code in
        guard let closure = unsafe closure, let handle = unsafe handle, let socketContext = unsafe socketContext else {
            return
        }
        let core = unsafe Unmanaged<ServerCore>.fromOpaque(closure).takeUnretainedValue()
        if code == .CONNECTION_NOTIFY_STARTED {
            let connection = unsafe core.opened(handle)
            unsafe socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let context = unsafe socketContext.pointee {
            let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(context).takeRetainedValue()
            unsafe socketContext.pointee = nil
            core.closed(connection)
        }
    }

    /// The request line has arrived. What is returned becomes the request's closure: its connection.
    static let target:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
            UnsafeMutableRawPointer? = { _, target, handle in
                let info = unsafe entitled_mhd_connection_info(handle, .CONNECTION_INFO_SOCKET_CONTEXT)
                guard let context = unsafe info?.pointee.socket_context, let target = unsafe target else { return nil }
                let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
                unsafe connection.target = String(cString: target)
                return unsafe context
            }

    /// The library's decoding of path and query, replaced by nothing: the server decodes the target itself.
    static let unescape:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) ->
            Int = { _, _, text in
                guard let text = unsafe text else { return 0 }
                return unsafe String(cString: text).utf8.count
            }

    /// Something about a request has arrived.
    static let access: MHD_AccessHandlerCallback = {
        closure,
        _,
        _,
        method,
        _,
        upload,
        uploadSize,
        requestClosure in
        guard let closure = unsafe closure, let context = unsafe requestClosure?.pointee,
            let method = unsafe method, let uploadSize = unsafe uploadSize
        else { return .NO }
        // The listener holds the core for longer than the library calls this. Not retained here: threads that count
        // references to one object wait for each other.
        return unsafe Unmanaged<ServerCore>.fromOpaque(closure)._withUnsafeGuaranteedRef { core in
            let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
            return unsafe core.handle(connection, method: method, upload: upload, uploadSize: uploadSize)
        }
    }

    /// A request is over.
    static let completed: MHD_RequestCompletedCallback = { closure, _, requestClosure, _ in
        guard let closure = unsafe closure, let context = unsafe requestClosure?.pointee else { return }
        unsafe Unmanaged<ServerCore>.fromOpaque(closure)._withUnsafeGuaranteedRef { core in
            let connection = unsafe Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
            core.completed(connection)
        }
    }

    /// A response whose body is asked from the stream piece by piece; it retains the stream.
    static func makeResponse(_ stream: ResponseStream) -> OpaquePointer? {
        let closure = unsafe Unmanaged.passRetained(stream).toOpaque()
        let response = unsafe MHD_create_response_from_callback(
            // MHD_SIZE_UNKNOWN is a cast, which Swift does not import.
            UInt64.max,
            32 * 1024,
            { closure, _, buffer, size in
                guard let closure = unsafe closure else { return -2 }
                let stream = unsafe Unmanaged<ResponseStream>.fromOpaque(closure).takeUnretainedValue()
                return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            },
            closure,
            { closure in
                guard let closure = unsafe closure else { return }
                unsafe Unmanaged<ResponseStream>.fromOpaque(closure).takeRetainedValue().close()
            }
        )
        if unsafe response == nil { unsafe Unmanaged<ResponseStream>.fromOpaque(closure).release() }
        return unsafe response
    }
}

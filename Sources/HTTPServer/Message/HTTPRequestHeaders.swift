import CLibmicrohttpd
import Synchronization

/// The header fields of a request, read from the library's own memory as long as that is possible: most requests are
/// answered after looking at one or two fields, so copying all of them would be wasted.
///
/// They can be asked for until the reply is given, and by work that is left for later until that work is done. After
/// that they are empty.
package final class HTTPRequestHeaders: @unchecked Sendable {
    // Guarded by the lock; the connection is only set while libmicrohttpd keeps it and its fields alive.
    @safe private enum Storage: @unchecked Sendable {
        case live(OpaquePointer)
        case copied([HTTPField])
    }

    private let storage: Mutex<Storage>

    /// These fields.
    package init(_ fields: [HTTPField]) {
        storage = Mutex(.copied(fields))
    }

    /// The fields of a request that is being handled.
    init(connection: OpaquePointer) {
        storage = unsafe Mutex(.live(connection))
    }

    /// The value of the first field of that name, in any case.
    package subscript(name: String) -> String? {
        storage.withLock { storage in
            switch storage {
            case .live(let connection): unsafe HTTPRequestHeaders.lookUp(name, connection)
            case .copied(let fields): fields.first { HTTPField.isSameName($0.name, name) }?.value
            }
        }
    }

    /// All fields in their order.
    package var all: [HTTPField] {
        storage.withLock { storage in
            switch storage {
            case .live(let connection): unsafe HTTPRequestHeaders.copy(connection)
            case .copied(let fields): fields
            }
        }
    }

    /// Copies the fields, so that they outlive the callback.
    func detach() {
        storage.withLock { storage in
            if case .live(let connection) = storage {
                unsafe storage = .copied(HTTPRequestHeaders.copy(connection))
            }
        }
    }

    /// Forgets the library's memory, which is about to go away.
    func invalidate() {
        storage.withLock { storage in
            if case .live = storage { storage = .copied([]) }
        }
    }

    private static func lookUp(_ name: String, _ connection: OpaquePointer) -> String? {
        unsafe name.withCString { key in
            var value: UnsafePointer<CChar>?
            var size = 0
            guard
                unsafe MHD_lookup_connection_value_n(
                    connection,
                    .HEADER_KIND,
                    key,
                    name.utf8.count,
                    &value,
                    &size
                ) == .YES
            else { return nil }
            return unsafe text(value, size)
        }
    }

    private static func copy(_ connection: OpaquePointer) -> [HTTPField] {
        var fields: [HTTPField] = []
        let append: MHD_KeyValueIteratorN = { closure, _, key, keySize, value, valueSize in
            let fields = unsafe closure?.assumingMemoryBound(to: [HTTPField].self)
            unsafe fields?.pointee.append(
                HTTPField(HTTPRequestHeaders.text(key, keySize), HTTPRequestHeaders.text(value, valueSize))
            )
            return .YES
        }
        _ = unsafe withUnsafeMutablePointer(to: &fields) { pointer in
            unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, append, pointer)
        }
        return fields
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

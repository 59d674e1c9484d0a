import Foundation
import Postgres
import Synchronization

/// Rows sorted into buckets: in memory as long as they are few, else in one file for each bucket. So the memory that a
/// fold of the whole log needs does not grow with the log.
///
/// Rows may be added from several threads; the order of rows in a bucket is not kept.
final class Spill: Sendable {
    private final class Bucket: Sendable {
        let rows = Mutex(EncodedRows())
    }

    private let name: String
    private let directory: URL
    private let memoryLimit: Int
    private let buckets: [Bucket]
    private let bytesInMemory = Atomic(0)
    private let bytesOnDisk = Atomic(0)

    /// - Parameters:
    ///   - directory: where files go; made when the first one is needed.
    ///   - memoryLimit: bytes beyond which rows go to files.
    init(_ name: String, bucketCount: Int, directory: URL, memoryLimit: Int) {
        self.name = name
        self.directory = directory
        self.memoryLimit = memoryLimit
        buckets = (0..<bucketCount).map { _ in Bucket() }
    }

    var bucketCount: Int { buckets.count }

    /// Bytes that went to files.
    var diskBytes: Int { bytesOnDisk.load(ordering: .relaxed) }

    /// Adds a row to the bucket of its key's hash.
    func append(_ row: PostgresCopyRow, hash: UInt64) throws {
        try change(hash) { $0.append(row) }
    }

    /// Adds a row to the bucket of its key's hash.
    func append(_ row: EncodedRows, hash: UInt64) throws {
        try change(hash) { $0.append(row) }
    }

    private func change(_ hash: UInt64, _ body: (inout EncodedRows) -> Void) throws {
        let index = Int(hash % UInt64(buckets.count))
        try buckets[index].rows.withLock { rows in
            let before = rows.bytes.count
            body(&rows)
            let total = bytesInMemory.add(rows.bytes.count - before, ordering: .relaxed).newValue
            // Every bucket holds about the same share, so writing the one at hand now and then keeps the sum down.
            if total > memoryLimit, rows.bytes.count > memoryLimit / buckets.count { try write(&rows, index) }
        }
    }

    /// Writes what is in memory to files, so that another process can go on with them.
    func flush() throws {
        for (index, bucket) in buckets.enumerated() {
            try bucket.rows.withLock { rows in
                if !rows.bytes.isEmpty { try write(&rows, index) }
            }
        }
    }

    /// All rows of a bucket.
    func rows(of index: Int) throws -> EncodedRows {
        try buckets[index].rows.withLock { rows in
            guard let stored = try? FileHandle(forReadingFrom: file(index)) else { return rows }
            defer { try? stored.close() }
            var all = EncodedRows([UInt8](try stored.readToEnd() ?? Data()))
            all.append(rows)
            return all
        }
    }

    /// Forgets the rows of a bucket that is done with; its file stays until all is.
    func drop(_ index: Int) {
        buckets[index].rows.withLock { rows in
            bytesInMemory.subtract(rows.bytes.count, ordering: .relaxed)
            rows = EncodedRows()
        }
    }

    private func file(_ index: Int) -> URL {
        directory.appendingPathComponent("\(name)-\(index)")
    }

    private func write(_ rows: inout EncodedRows, _ index: Int) throws {
        let manager = FileManager.default
        let file = file(index)
        if !manager.fileExists(atPath: file.path) {
            try manager.createDirectory(
                at: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            guard manager.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
                throw StoreError.failed("\(file.path) cannot be written")
            }
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(rows.bytes))
        bytesInMemory.subtract(rows.bytes.count, ordering: .relaxed)
        bytesOnDisk.add(rows.bytes.count, ordering: .relaxed)
        rows.removeAll()
    }
}

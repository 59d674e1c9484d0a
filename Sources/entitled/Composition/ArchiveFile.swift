import EventStore
import Foundation

/// A file of lines that a name ending in `.gz` says is compressed: then it goes through the program gzip.
enum ArchiveFile {
    private static func gzip(_ arguments: [String]) throws(CommandError) -> Process {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/gzip" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let path else { throw CommandError(.unavailable, "the program gzip is not installed") }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        return process
    }

    /// Writes a file: `-` is standard output. A file that is there is not written over, and one that was not finished does
    /// not stay.
    final class Writer: @unchecked Sendable {
        // Used by one thread at a time: the one that writes, and after it the one that finishes.
        private let handle: FileHandle
        private let process: Process?
        private let path: String?

        init(_ path: String) throws {
            if path == "-" {
                (handle, process, self.path) = (.standardOutput, nil, nil)
                return
            }
            let manager = FileManager.default
            if manager.fileExists(atPath: path) { throw CommandError(.usage, "\(path) is there already") }
            guard manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let file = FileHandle(forWritingAtPath: path)
            else { throw CommandError(.unavailable, "\(path) cannot be written") }
            self.path = path
            guard path.hasSuffix(".gz") else {
                (handle, process) = (file, nil)
                return
            }
            let pipe = Pipe()
            let gzip = try ArchiveFile.gzip(["-c"])
            gzip.standardInput = pipe
            gzip.standardOutput = file
            try gzip.run()
            (handle, process) = (pipe.fileHandleForWriting, gzip)
        }

        func write(_ bytes: [UInt8]) throws {
            try handle.write(contentsOf: Data(bytes))
        }

        /// Closes the file and waits until all of it is written.
        func finish() throws {
            if path != nil { try handle.close() }
            process?.waitUntilExit()
            if let process, process.terminationStatus != 0 {
                throw CommandError(.unavailable, "gzip failed; is the disk full?")
            }
        }

        /// Removes what was written.
        func discard() {
            try? handle.close()
            process?.waitUntilExit()
            if let path { try? FileManager.default.removeItem(atPath: path) }
        }
    }

    /// Reads the lines of a file: `-` is standard input.
    final class Reader: @unchecked Sendable {
        // Used by one thread at a time: the one that reads.
        private let handle: FileHandle
        private let process: Process?
        private var buffer = Data()
        /// How many bytes of the buffer are known to hold no line break.
        private var searched = 0
        private var isAtEnd = false
        private var isLastLineOpen = false

        private static let pieceBytes = 1 << 18
        /// More than the largest statement that a service takes makes of a line, with all its texts. A small compressed file
        /// may hold a line without end.
        private static let longestLine = 1 << 28

        init(_ path: String) throws {
            if path == "-" {
                (handle, process) = (.standardInput, nil)
                return
            }
            guard let file = FileHandle(forReadingAtPath: path) else {
                throw CommandError(.noInput, "\(path) cannot be read")
            }
            guard path.hasSuffix(".gz") else {
                (handle, process) = (file, nil)
                return
            }
            let pipe = Pipe()
            let gzip = try ArchiveFile.gzip(["-dc"])
            gzip.standardInput = file
            gzip.standardOutput = pipe
            // What it says of a damaged file is said by this program.
            gzip.standardError = FileHandle.nullDevice
            try gzip.run()
            (handle, process) = (pipe.fileHandleForReading, gzip)
        }

        /// The next line without its line break; nil at the end.
        ///
        /// - Throws: `ArchiveCutOff` for a file that ends in the middle of a line, behind what there is of that line, or in
        ///   the middle of its compressed form; and for a line that is longer than any that is written.
        func nextLine() throws -> [UInt8]? {
            while true {
                if let end = buffer[(buffer.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                    let line = [UInt8](buffer[buffer.startIndex..<end])
                    buffer = buffer[(end + 1)...]
                    searched = 0
                    return line
                }
                searched = buffer.count
                guard searched <= Self.longestLine else {
                    throw ArchiveCutOff("this is no archive of the log: a line has more than \(Self.longestLine) bytes")
                }
                if isAtEnd {
                    if isLastLineOpen { throw ArchiveCutOff("the file is cut off: its last line has no line break") }
                    if buffer.isEmpty { return nil }
                    isLastLineOpen = true
                    defer { (buffer, searched) = (Data(), 0) }
                    return [UInt8](buffer)
                }
                let piece = try handle.read(upToCount: Self.pieceBytes) ?? Data()
                if piece.isEmpty {
                    isAtEnd = true
                    try checkEnd()
                } else {
                    // A slice keeps all that was cut off before it.
                    if buffer.startIndex > 0 { buffer = Data(buffer) }
                    buffer.append(piece)
                }
            }
        }

        private func checkEnd() throws {
            guard let process else { return }
            process.waitUntilExit()
            if process.terminationStatus != 0 {
                throw ArchiveCutOff("the file is no gzip file, or it is cut off or damaged")
            }
        }
    }
}

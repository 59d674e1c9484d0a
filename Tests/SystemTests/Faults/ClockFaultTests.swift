import Foundation
import Postgres
import Testing

extension SystemTests {
    /// The time of day of the services jumps under load.
    @Suite struct ClockFaultTests {
        /// Adds the seconds that stand in a file to the time of day, and leaves the clocks alone that time is measured with.
        /// (libfaketime would move the system's timers too, which no clock that is set does.)
        private static let source = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/time.h>
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            #include <fcntl.h>

            static long offset(void) {
                char text[32] = {0};
                const char *path = getenv("OFFSET_FILE");
                int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
                if (file < 0) return 0;
                ssize_t count = read(file, text, sizeof text - 1);
                close(file);
                return count > 0 ? strtol(text, NULL, 10) : 0;
            }
            int clock_gettime(clockid_t clock, struct timespec *now) {
                int result = (int)syscall(SYS_clock_gettime, clock, now);
                if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
                return result;
            }
            int gettimeofday(struct timeval *restrict now, void *restrict zone) {
                struct timespec precise;
                (void)zone;
                if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
                now->tv_sec = precise.tv_sec;
                now->tv_usec = precise.tv_nsec / 1000;
                return 0;
            }
            time_t time(time_t *result) {
                struct timespec precise;
                clock_gettime(CLOCK_REALTIME, &precise);
                if (result) *result = precise.tv_sec;
                return precise.tv_sec;
            }

            """

        private static let hour = 3_600

        @Test func aClockThatJumpsNeitherStopsNorReordersTheLog() async throws {
            try await TemporaryFolder.use { folder in
                guard let library = try Self.compile(in: folder) else {
                    print("aClockThatJumpsNeitherStopsNorReordersTheLog: skipped, there is no C compiler")
                    return
                }
                let file = folder.appending(path: "offset")
                try Data("0".utf8).write(to: file)
                var plan = FaultSite.Plan()
                plan.environment = ["LD_PRELOAD": library, "OFFSET_FILE": file.path(percentEncoded: false)]
                try await FaultSite.with("aClockThatJumpsNeitherStopsNorReordersTheLog", plan) { site in
                    for _ in 0..<FaultSite.rounds {
                        for offset in [2 * Self.hour, -2 * Self.hour, 400 * 24 * Self.hour, 0] {
                            try await site.suffer("clock \(offset / Self.hour) h off") {
                                // Replaced as a whole: it is read at any time.
                                try Data("\(offset)".utf8).write(to: file, options: .atomic)
                                await site.wait(for: 100)
                            }
                        }
                    }
                    // The services did believe it: the log has times of the year after.
                    let isAhead = try await withDatabase(site.owner) { session in
                        try session.query(
                            "SELECT max(recorded_at) > now() + interval '399 days' FROM entitled.events"
                        ).bool(0, 0)
                    }
                    #expect(isAhead)
                }
            }
        }

        /// - Returns: the library's path; nil where nothing compiles C.
        private static func compile(in folder: URL) throws -> String? {
            let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let compilers = ["clang", "cc", "gcc"].flatMap { name in paths.map { "\($0)/\(name)" } }
            guard let compiler = compilers.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
                return nil
            }
            let (source, library) = (folder.appending(path: "clock.c"), folder.appending(path: "clock.so"))
            try Data(Self.source.utf8).write(to: source)
            let path = library.path(percentEncoded: false)
            let log = folder.appending(path: "compiler.log").path(percentEncoded: false)
            let status = try ChildProcess.start(
                [compiler, "-shared", "-fPIC", "-O2", "-o", path, source.path(percentEncoded: false)],
                output: log
            ).wait()
            #expect(status == 0, "\((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
            return path
        }
    }
}

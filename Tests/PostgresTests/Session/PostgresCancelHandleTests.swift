import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresCancelHandleTests {
    @Test(.timeLimit(.minutes(3))) func stopsTheQueryUnderWayAndNoOther() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let handle = session.cancelHandle
        #expect(!handle.cancel())
        for round in 0..<5 {
            cancelSoon(handle)
            let error = postgresError { try session.execute("SELECT pg_sleep(50)") }
            #expect(error?.kind == .cancelled)
            #expect(error?.sqlState == .queryCanceled)
            #expect(error?.isTransient == false)
            #expect(try session.query("SELECT $1::int4", [.int4(Int32(round))]).int32(0, 0) == Int32(round))
        }
    }

    @Test func theServersOwnTimeoutIsToldFromACancellation() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("SET statement_timeout = '20ms'")
        let error = postgresError { try session.execute("SELECT pg_sleep(20)") }
        #expect(error?.kind == .timeout)
        #expect(error?.isTransient == true)
        #expect(!session.isBroken)
    }
}

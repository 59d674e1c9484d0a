import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresNotificationTests {
    @Test func reachesAListenerInOrder() async throws {
        let database = try await TestDatabase.create()
        let listener = try database.ownerSession()
        let sender = try database.ownerSession()
        try listener.listen("Strange \"channel")
        for number in 0..<5 { try sender.notify("Strange \"channel", "\(number)") }
        try sender.notify("other")
        var got: [PostgresNotification] = []
        while got.count < 5 {
            let more = try listener.waitForNotifications(timeout: .seconds(10))
            if more.isEmpty { break }
            got += more
        }
        #expect(got.map { $0.payload } == ["0", "1", "2", "3", "4"])
        #expect(got.allSatisfy { $0.channel == "Strange \"channel" && $0.processID == sender.processID })
        try listener.unlisten("Strange \"channel")
        try sender.notify("Strange \"channel", "late")
        try listener.execute("SELECT 1")
        #expect(try listener.waitForNotifications(timeout: .zero).isEmpty)
    }

    @Test func waitsNoLongerThanItMay() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.listen("quiet")
        let start = ContinuousClock.now
        #expect(try session.waitForNotifications(timeout: .milliseconds(50)).isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test func aNotificationThatCameWithAnotherAnswerIsNotLost() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.listen("own")
        try session.notify("own", "a")
        #expect(try session.waitForNotifications(timeout: .zero).map { $0.payload } == ["a"])
    }

    @Test(.timeLimit(.minutes(3))) func theWaitEndsWhenItIsCancelled() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.listen("quiet")
        cancelSoon(session.cancelHandle)
        let error = postgresError { _ = try session.waitForNotifications(timeout: .seconds(50)) }
        #expect(error?.kind == .cancelled)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
    }

    @Test func aLostConnectionEndsTheWait() async throws {
        let database = try await TestDatabase.create()
        let session = try database.ownerSession()
        try session.listen("x")
        try database.ownerSession().query("SELECT pg_terminate_backend($1)", [.int4(session.processID)])
        let error = postgresError { _ = try session.waitForNotifications(timeout: .seconds(20)) }
        #expect(error?.isConnectionLost == true)
    }
}

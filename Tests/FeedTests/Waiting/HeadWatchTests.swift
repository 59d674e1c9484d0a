import EntitlementDomain
import Testing

@testable import EventStore

@Suite(.timeLimit(.minutes(1))) struct HeadWatchTests {
    private func place(_ number: Int64, epoch: Int = 1) -> FeedPosition {
        FeedPosition(LogPosition(epoch: epoch, number: number))
    }

    private var farAway: ContinuousClock.Instant { .now + .seconds(60) }

    @Test func whatIsKnownIsNotWaitedFor() async {
        let watch = HeadWatch()
        watch.note(place(5))
        let five = place(5)
        await watch.wait(until: farAway) { $0 >= five }
    }

    @Test func onlyThoseWhoseTimeHasComeAreWoken() async {
        let watch = HeadWatch()
        let five = place(5)
        let early = Task { await watch.wait(until: .now + .seconds(60)) { $0 >= five } }
        let late = Task { await watch.wait(until: .now + .seconds(60)) { $0 > five } }
        #expect(await eventually { watch.waiterCount == 2 })
        watch.note(five)
        await early.value
        #expect(watch.waiterCount == 1)
        watch.note(place(6))
        await late.value
        #expect(!watch.hasWaiters)
    }

    @Test func newsThatWereOvertakenChangeNothing() {
        let watch = HeadWatch()
        watch.note(place(5))
        watch.note(place(4))
        #expect(watch.known == place(5))
        watch.note(place(1, epoch: 2))
        #expect(watch.known == place(1, epoch: 2))
    }

    @Test func whatWasReadJustNowCountsAlsoWhenItIsLess() {
        let watch = HeadWatch()
        watch.note(place(5))
        watch.note(place(4), isRead: true)
        #expect(watch.known == place(4))
    }

    @Test func theTimeEndsAWait() async {
        let watch = HeadWatch()
        await watch.wait(until: .now + .milliseconds(20)) { _ in false }
        await watch.wait(until: .now) { _ in false }
        #expect(!watch.hasWaiters)
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let watch = HeadWatch()
        let waiting = Task { await watch.wait(until: .now + .seconds(60)) { _ in false } }
        #expect(await eventually { watch.hasWaiters })
        waiting.cancel()
        await waiting.value
        #expect(!watch.hasWaiters)
    }

    @Test func theEndWakesAllAndLetsNobodyWait() async {
        let watch = HeadWatch()
        let waiting = (0..<3).map { _ in Task { await watch.wait(until: .now + .seconds(60)) { _ in false } } }
        #expect(await eventually { watch.waiterCount == 3 })
        watch.end()
        for task in waiting { await task.value }
        await watch.wait(until: farAway) { _ in false }
        #expect(watch.isEnded)
    }
}

@Suite(.timeLimit(.minutes(1))) struct AlarmTests {
    @Test func aRingBeforeTheSleepEndsIt() async {
        let alarm = Alarm()
        alarm.ring()
        await alarm.sleep(upTo: .seconds(60))
    }

    @Test func aRingEndsTheSleep() async {
        let alarm = Alarm()
        let sleeping = Task { await alarm.sleep(upTo: .seconds(60)) }
        let ringing = Task {
            while !Task.isCancelled {
                alarm.ring()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        await sleeping.value
        ringing.cancel()
    }

    @Test(arguments: [Duration.zero, .nanoseconds(1), .milliseconds(5), .seconds(-1)])
    func itEndsByItself(limit: Duration) async {
        await Alarm().sleep(upTo: limit)
    }

    @Test func cancellingEndsTheSleep() async {
        let alarm = Alarm()
        let sleeping = Task { await alarm.sleep(upTo: .seconds(60)) }
        sleeping.cancel()
        await sleeping.value
    }
}

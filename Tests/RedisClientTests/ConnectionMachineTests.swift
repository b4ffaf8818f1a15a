import Primitives
import TestSupport
import Testing

@testable import RedisClient

/// The states of a connection as tables: each row is an event at a time in milliseconds and the expected action.
@Suite("Connection machine")
struct ConnectionMachineTests {
    typealias Event = ConnectionMachine.Event
    typealias Action = ConnectionMachine.Action

    struct Row: Sendable {
        let time: Int
        let event: Event
        let action: Action

        /// The time of the oldest command without a reply.
        let owedSince: Int?

        init(_ time: Int, _ event: Event, _ action: Action, owedSince: Int? = nil) {
            self.time = time
            self.event = event
            self.action = action
            self.owedSince = owedSince
        }
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let name: String
        let rows: [Row]

        var testDescription: String { name }
    }

    /// A connection that is usable after one millisecond.
    private static let opening = [
        Row(0, .time, .resolve), Row(0, .resolved(1), .connect(address: 0)), Row(1, .connected, .greet),
        Row(1, .greeted, .open),
    ]

    static let courses = [
        Course(name: "a connection", rows: opening),
        Course(
            name: "the addresses of a name are tried one after the other, each for a second",
            rows: [
                Row(0, .time, .resolve), Row(0, .resolved(3), .connect(address: 0)),
                Row(5, .failed(.unreachable("refused")), .connect(address: 1)),
                Row(1004, .time, .none), Row(1005, .time, .connect(address: 2)),
                Row(1006, .failed(.unreachable("again")), .close(.unreachable("again"))),
            ]
        ),
        Course(
            name: "a name without an address",
            rows: [
                Row(0, .time, .resolve), Row(0, .resolved(0), .close(.unresolved)), Row(0, .time, .resolve),
                Row(0, .resolved(0), .close(.unresolved)), Row(49, .time, .none), Row(50, .time, .resolve),
            ]
        ),
        Course(
            name: "a look-up that takes too long, and its late result",
            rows: [
                Row(0, .time, .resolve), Row(999, .time, .none), Row(1000, .time, .close(.connectTimedOut)),
                Row(1000, .resolved(1), .none), Row(1000, .time, .resolve),
                Row(1001, .resolved(1), .connect(address: 0)),
            ]
        ),
        Course(
            name: "waits double up to their limit while the server is away",
            rows: [
                Row(0, .time, .resolve), Row(0, .resolved(0), .close(.unresolved)),
                Row(0, .time, .resolve), Row(0, .resolved(0), .close(.unresolved)),
                Row(50, .time, .resolve), Row(50, .resolved(0), .close(.unresolved)),
                Row(149, .time, .none), Row(150, .time, .resolve), Row(150, .resolved(0), .close(.unresolved)),
                Row(350, .time, .resolve), Row(350, .resolved(0), .close(.unresolved)),
                Row(750, .time, .resolve), Row(750, .resolved(0), .close(.unresolved)),
                Row(1549, .time, .none), Row(1550, .time, .resolve), Row(1550, .resolved(0), .close(.unresolved)),
                Row(2349, .time, .none), Row(2350, .time, .resolve),
            ]
        ),
        Course(
            name: "a good connection that is lost is opened again at once",
            rows: opening + [
                Row(2000, .failed(.closed), .close(.closed)), Row(2000, .time, .resolve),
                Row(2000, .resolved(1), .connect(address: 0)),
            ]
        ),
        Course(
            name: "a connection that is lost soon does not reset the waits",
            rows: opening + [
                Row(2, .failed(.closed), .close(.closed)), Row(2, .time, .resolve),
                Row(2, .resolved(1), .connect(address: 0)), Row(2, .connected, .greet), Row(2, .greeted, .open),
                Row(3, .failed(.closed), .close(.closed)), Row(3, .time, .none), Row(52, .time, .none),
                Row(53, .time, .resolve),
            ]
        ),
        Course(
            name: "a refused greeting is tried again after a wait",
            rows: [
                Row(0, .time, .resolve), Row(0, .resolved(1), .connect(address: 0)), Row(1, .connected, .greet),
                Row(1, .failed(.notACluster), .close(.notACluster)), Row(1, .time, .resolve),
            ]
        ),
        Course(
            name: "a server that accepts and says nothing",
            rows: [
                Row(0, .time, .resolve), Row(0, .resolved(1), .connect(address: 0)), Row(1, .connected, .greet),
                Row(1, .received, .none), Row(1000, .time, .none),
                Row(1001, .time, .close(.connectTimedOut)),
            ]
        ),
        Course(
            name: "an idle connection is checked after five seconds, and its silence ends it",
            rows: opening + [
                Row(5000, .time, .none), Row(5001, .time, .ping), Row(7000, .time, .none, owedSince: 5001),
                Row(7001, .time, .close(.silent), owedSince: 5001),
            ]
        ),
        Course(
            name: "a reply to the check keeps the connection",
            rows: opening + [
                Row(5001, .time, .ping), Row(5002, .received, .none), Row(7001, .time, .none),
                Row(10_001, .time, .none), Row(10_002, .time, .ping),
            ]
        ),
        Course(
            name: "a command without a reply ends the connection, although others have replies",
            rows: opening + [
                Row(1500, .received, .none), Row(2100, .time, .none, owedSince: 1000),
                Row(2900, .received, .none), Row(2999, .time, .none, owedSince: 1000),
                Row(3000, .time, .close(.silent), owedSince: 1000),
            ]
        ),
    ]

    @Test("Every sequence of events has its actions, those of a deadline when it has passed", arguments: courses)
    func course(_ course: Course) {
        let start = Instant.now
        var machine = ConnectionMachine(timeout: .seconds(2), now: start) { 0 }
        for (number, row) in course.rows.enumerated() {
            var event = row.event
            let now = start + .milliseconds(row.time)
            if case .time = event {
                let owedSince = row.owedSince.map { start + .milliseconds($0) }
                event = .time(owedSince: owedSince)
                let isDue = machine.deadline(owedSince: owedSince) <= now
                #expect(isDue == (row.action != .none), "row \(number): \(row)")
            }
            #expect(machine.on(event, now: now) == row.action, "row \(number): \(row)")
        }
    }

    @Test("Jitter takes up to half of a wait", arguments: [(0.0, 50), (0.5, 37), (1.0, 25), (7.0, 25), (-1.0, 50)])
    func jitter(part: Double, milliseconds: Double) {
        let start = Instant.now
        var machine = ConnectionMachine(timeout: .seconds(2), now: start) { part }
        for _ in 0..<2 {
            _ = machine.on(.time, now: start)
            _ = machine.on(.resolved(0), now: start)
        }
        let wait = (machine.deadline(owedSince: nil) - start) / .milliseconds(1)
        #expect(milliseconds..<milliseconds + 1 ~= wait)
    }

    @Test(
        "Any event in any phase leaves a deadline within five seconds, and a wait after each close",
        arguments: 0..<200 as Range<UInt64>
    )
    func anyOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let events: [Event] = [
            .time, .resolved(0), .resolved(2), .connected, .greeted, .received, .failed(.closed),
        ]
        var now = Instant.now
        var machine = ConnectionMachine(timeout: .seconds(2), now: now) { 0.5 }
        for _ in 0..<50 {
            now = now + .milliseconds(Int.random(in: 0...3000, using: &generator))
            let event = events.randomElement(using: &generator) ?? .time
            let action = machine.on(event, now: now)
            #expect(machine.deadline(owedSince: nil) <= now + .seconds(5))
            if case .close = action, case .waiting = machine.phase { continue }
            if case .close = action { Issue.record("closed in \(machine.phase)") }
        }
    }
}

extension ConnectionMachine.Event {
    /// A deadline, while no reply is owed.
    static var time: Self { .time(owedSince: nil) }
}

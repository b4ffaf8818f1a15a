import Synchronization

/// Something whose connection may be suspended: a promised answer or an open stream.
protocol Waiting: AnyObject, Sendable {
    /// The client has closed its half, or the connection is broken.
    func clientLeft()
    /// Looks at the deadline of a promised answer, and counts the memory of a stream; several times a second.
    func tick(_ now: MonotonicTime)
    /// Asks a stream for a sign of life.
    func heartbeat()
    /// Asks a stream to end in its own words.
    func drain()
    /// Ends it: the drain has waited long enough.
    func stop()
}

/// All promised answers and open streams.
///
/// "It is an API violation to call MHD_stop_daemon while having suspended connections": the process aborts. So nothing
/// is suspended that is not in this room, and the room is closed before the daemon stops. Who comes later is told that
/// it is too late and does not suspend; who is in is told to stop and resumes. What is left is a thread that has
/// decided to resume but has not done it yet: it is counted in `resuming` in the same moment as it decides, and the
/// drain waits until none is left.
final class WaitingRoom: Sendable {
    private struct Room {
        var isClosed = false
        var isDraining = false
        var guests: [UInt64: any Waiting] = [:]
    }

    private let room = Mutex(Room())
    /// Threads between the decision to resume a connection and the end of the call that does it.
    private let resuming = Atomic(0)
    /// Tasks that make a promised answer and have not returned.
    let tasks = Atomic(0)

    /// How many there are.
    var count: Int { room.withLock { $0.guests.count } }

    /// Whether no thread is about to resume a connection.
    var isSettled: Bool { resuming.load(ordering: .acquiring) == 0 }

    /// Enters under the connection's number, in place of who was there for it; false when the room is closed.
    func enter(_ guest: any Waiting, connection: UInt64) -> Bool {
        let (isOpen, isDraining) = room.withLock { room in
            if !room.isClosed { room.guests[connection] = guest }
            return (!room.isClosed, room.isDraining)
        }
        if isOpen && isDraining { guest.drain() }
        return isOpen
    }

    func leave(connection: UInt64) {
        // The guest is let go of outside of the lock: its end may run anybody's code.
        let guest = room.withLock { $0.guests.removeValue(forKey: connection) }
        _ = consume guest
    }

    func guest(connection: UInt64) -> (any Waiting)? {
        room.withLock { $0.guests[connection] }
    }

    /// Everybody who is in.
    var guests: [any Waiting] { room.withLock { Array($0.guests.values) } }

    /// Asks every stream to end, and those that come later.
    func drain() {
        let guests = room.withLock { room in
            room.isDraining = true
            return Array(room.guests.values)
        }
        for guest in guests { guest.drain() }
    }

    /// Lets nobody in any more and tells everybody to stop.
    func close() {
        let guests = room.withLock { room in
            room.isClosed = true
            return Array(room.guests.values)
        }
        for guest in guests { guest.stop() }
    }

    // MARK: Resuming

    /// Notes, under the lock of the one who decides, that a connection is about to be resumed.
    func willResume() {
        resuming.add(1, ordering: .acquiringAndReleasing)
    }

    /// Resumes a connection after `willResume`.
    func resume(_ connection: ConnectionHandle) {
        connection.resume()
        resuming.subtract(1, ordering: .acquiringAndReleasing)
    }
}

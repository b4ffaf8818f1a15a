import Primitives

/// The look-ups of host names, of which a few run at a time: each takes a thread, and a server may name any hosts.
///
/// Only the thread of the client uses it.
final class LookUps {
    private static let most = 8

    private var running = 0
    private var waiting = FIFO<(host: String, port: UInt16, id: UInt64)>()
    /// Starts one; its end is reported by `ended`.
    private let start: (_ host: String, _ port: UInt16, _ id: UInt64) -> Void

    init(start: @escaping (_ host: String, _ port: UInt16, _ id: UInt64) -> Void) {
        self.start = start
    }

    /// Looks a host up for the connection with the id, which has one look-up at a time.
    func add(_ host: String, _ port: UInt16, _ id: UInt64) {
        guard running < LookUps.most else { return waiting.append((host, port, id)) }
        running += 1
        start(host, port, id)
    }

    /// Starts the next one after the end of another, unless its connection is gone.
    func ended(isOpen: (_ id: UInt64) -> Bool) {
        running -= 1
        while running < LookUps.most, let next = waiting.popFirst() {
            if isOpen(next.id) { add(next.host, next.port, next.id) }
        }
    }
}

import Primitives

/// The look-ups of host names, of which a few run at a time: each takes a thread, and a server may name any hosts.
///
/// Only the thread of the client uses it.
final class LookUps {
    private struct LookUp {
        let host: String
        let port: UInt16
        let mark: UInt64
    }

    /// The most that run at a time.
    private static let most = 8

    private var running = 0
    private var waiting = FIFO<LookUp>()
    /// Starts one; its end is reported by `ended`.
    private let start: (_ host: String, _ port: UInt16, _ mark: UInt64) -> Void

    init(start: @escaping (_ host: String, _ port: UInt16, _ mark: UInt64) -> Void) {
        self.start = start
    }

    /// Looks a host up for the connection with the mark, which has one look-up at a time.
    func add(_ host: String, _ port: UInt16, _ mark: UInt64) {
        guard running < LookUps.most else { return waiting.append(LookUp(host: host, port: port, mark: mark)) }
        running += 1
        start(host, port, mark)
    }

    /// Starts the next one after the end of another, unless its connection is gone.
    func ended(isOpen: (_ mark: UInt64) -> Bool) {
        running -= 1
        while running < LookUps.most, let next = waiting.popFirst() {
            if isOpen(next.mark) { add(next.host, next.port, next.mark) }
        }
    }
}

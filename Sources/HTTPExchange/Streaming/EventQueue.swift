/// What waits to be read from an event stream: bounded, with the newest state in place of older ones.
///
/// A state machine without locks and callbacks; `EventStream` puts it under a lock and performs what it says. An event
/// may have a key: it replaces an older one with that key that has not been begun to be read, and stands behind all
/// others, so that ids still only grow. A reader who never reads holds at most `limit` events. When even those of
/// different keys are too many, the queue fails: the reader has missed something, and learns it by a closed connection
/// instead of by nothing.
struct EventQueue: Sendable {
    private struct Entry: Sendable {
        let bytes: [UInt8]
        var key: String?
        var isHeartbeat = false
    }

    /// How far the stream has come.
    private enum Phase: Sendable {
        case open
        /// The last event is in the queue.
        case ending
        case failed
    }

    private var waiting: [Entry] = []
    private var current: [UInt8] = []
    private var position = 0
    private var phase = Phase.open
    private let limit: Int

    /// - Parameter limit: events that may wait, at least 1; the last event comes on top.
    init(limit: Int) {
        precondition(limit >= 1)
        self.limit = limit
    }

    /// Puts an event at the end; false when the stream has ended or failed before, and the event will not be read.
    mutating func append(_ event: [UInt8], key: String?) -> Bool {
        guard phase == .open else { return false }
        // An event is a better sign of life than the heartbeat that waits before it.
        waiting.removeAll { $0.isHeartbeat || (key != nil && $0.key == key) }
        guard waiting.count < limit else {
            phase = .failed
            waiting = []
            return false
        }
        waiting.append(Entry(bytes: event, key: key))
        return true
    }

    /// Puts a heartbeat into an idle stream; false when there is something to read, which is life enough.
    mutating func beat() -> Bool {
        guard phase == .open, waiting.isEmpty, position == current.count else { return false }
        waiting.append(Entry(bytes: ServerSentEvent.heartbeat, isHeartbeat: true))
        return true
    }

    /// Puts the last event at the end; false when the stream has ended or failed before.
    mutating func end(with event: [UInt8]?) -> Bool {
        guard phase == .open else { return false }
        if let event { waiting.append(Entry(bytes: event)) }
        phase = .ending
        return true
    }

    /// The bytes of the events that are held.
    var bytes: Int {
        waiting.reduce(current.count) { $0 + $1.bytes.count }
    }

    /// Copies as much as there is and fits.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> StreamRead {
        if phase == .failed { return .failed }
        var copied = 0
        while copied < buffer.count {
            if position == current.count {
                guard !waiting.isEmpty else { break }
                current = waiting.removeFirst().bytes
                position = 0
            }
            let count = min(buffer.count - copied, current.count - position)
            buffer[copied..<copied + count].copyBytes(from: current[position..<position + count])
            copied += count
            position += count
        }
        // An idle reader holds nothing.
        if position == current.count {
            current = []
            position = 0
        }
        if copied > 0 { return .copied(copied) }
        return phase == .ending ? .finished : .pending
    }
}

/// A bounded buffer of log lines: the rules of `LogOutput` without a thread and a descriptor.
///
/// The limit covers waiting lines and those being written. A line that does not fit is dropped and counted. A small
/// reserve holds warnings and errors, so that many ordinary lines do not displace them.
struct LogBuffer {
    /// The signal to the writer after a line was added.
    enum Signal: Equatable {
        case none
        /// The line is the first of a batch, and may wait for others.
        case begin
        /// The batch must be written now.
        case hurry
    }

    private let capacity: Int
    private let reserve: Int
    private let batchSize: Int
    private var bytes: [UInt8] = []
    private var beingWritten = 0
    private var isHurried = false
    /// Lines dropped and not yet reported.
    private var dropped = 0
    /// Lines dropped since the start.
    private(set) var droppedTotal = 0
    /// Bytes accepted since the start, and bytes of them that have left the buffer.
    private(set) var accepted = 0
    private(set) var done = 0

    /// - Parameters:
    ///   - capacity: the limit in bytes of waiting lines and lines being written.
    ///   - reserve: additional bytes for urgent lines.
    ///   - batchSize: the size in bytes at which a batch is written at once.
    init(capacity: Int, reserve: Int, batchSize: Int) {
        self.capacity = capacity
        self.reserve = reserve
        self.batchSize = batchSize
    }

    /// Appends a line and a line feed.
    mutating func append(_ line: UnsafeBufferPointer<UInt8>, isUrgent: Bool) -> Signal {
        let room = isUrgent ? capacity &+ reserve : capacity
        guard bytes.count &+ beingWritten &+ line.count < room else {
            dropped += 1
            droppedTotal += 1
            return .none
        }
        let isFirst = bytes.isEmpty
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        accepted &+= line.count &+ 1
        if !isHurried, isUrgent || bytes.count >= batchSize {
            isHurried = true
            return .hurry
        }
        return isFirst ? .begin : .none
    }

    /// True if the batch must be written at once.
    var isUrgent: Bool { isHurried }

    /// Marks the batch as urgent.
    mutating func hurry() {
        isHurried = true
    }

    /// Swaps the batch with `spare`, an empty array; the next batch uses its memory.
    ///
    /// - Returns: the number of lines dropped since the last call.
    mutating func drain(into spare: inout [UInt8]) -> Int {
        swap(&bytes, &spare)
        beingWritten = spare.count
        isHurried = false
        defer { dropped = 0 }
        return dropped
    }

    /// Records that the last batch has left the buffer, and that `lost` of its lines were not written.
    mutating func finish(lost: Int) {
        done &+= beingWritten
        beingWritten = 0
        droppedTotal += lost
    }
}

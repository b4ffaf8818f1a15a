/// Lines that wait to be written: the rules of `LogOutput`, without a thread and without a descriptor.
///
/// The bound covers the lines that wait and those being written. A line that does not fit is dropped and counted; a small
/// reserve is for warnings and worse, so that a flood of ordinary lines does not hide them.
struct LogBuffer {
    /// What the writer has to be told after a line was added.
    enum Signal: Equatable {
        case none
        /// The first line of a batch: it may wait for others.
        case begin
        /// The batch is to be written now.
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
    ///   - capacity: bytes that may wait or be under way.
    ///   - reserve: bytes beside them for urgent lines.
    ///   - batchSize: bytes that are not kept waiting for more.
    init(capacity: Int, reserve: Int, batchSize: Int) {
        self.capacity = capacity
        self.reserve = reserve
        self.batchSize = batchSize
    }

    /// Adds a line, and its end.
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

    /// Whether the batch is to be written at once.
    var isUrgent: Bool { isHurried }

    /// Has the batch written at once, whatever its size.
    mutating func hurry() {
        isHurried = true
    }

    /// Swaps the batch with `spare`, an empty array whose memory the next batch goes to, and gives the number of lines that
    /// were dropped since the last one.
    mutating func take(spare: inout [UInt8]) -> Int {
        swap(&bytes, &spare)
        beingWritten = spare.count
        isHurried = false
        defer { dropped = 0 }
        return dropped
    }

    /// Takes note that the batch taken last has left the buffer, and that `lost` lines of it could not be written.
    mutating func finish(lost: Int) {
        done &+= beingWritten
        beingWritten = 0
        droppedTotal += lost
    }
}

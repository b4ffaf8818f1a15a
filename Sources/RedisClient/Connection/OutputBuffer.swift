/// The encoded commands that the socket has not taken yet.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// The largest empty buffer that is kept.
    private static let keptCapacity = 1 << 20

    var isEmpty: Bool { sent == bytes.count }

    mutating func append(_ command: [UInt8]) {
        bytes += command
    }

    /// Passes the unsent bytes to `write`.
    func withPending<Result>(_ write: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
    }

    /// Removes bytes that were written.
    mutating func consume(_ count: Int) {
        sent += min(count, bytes.count - sent)
        if isEmpty {
            removeAll()
        } else if sent > Self.keptCapacity {
            bytes.removeFirst(sent)
            sent = 0
        }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        sent = 0
    }
}

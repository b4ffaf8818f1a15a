package import Primitives

/// The content of a response.
package enum Content: Sendable {
    case none
    case bytes([UInt8])
    /// A part of bytes that several answers share: retained until the last byte is sent, never copied.
    case shared(SharedBytes, Range<Int>)
    case stream(any ContentStream)

    /// The number of bytes; nil for a stream that does not know its length.
    package var length: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .shared(_, let range): range.count
        case .stream(let stream): stream.length
        }
    }
}

extension Content {
    /// Ends a stream that will not be read; called once, for content that is not sent.
    package func release() {
        if case .stream(let stream) = self { stream.close() }
    }
}

/// Content that is made while it is sent.
///
/// The server pulls; it never queues for a slow reader.
///
/// Every method may be called from any thread, and none may block.
package protocol ContentStream: AnyObject, Sendable {
    /// The exact number of bytes, when it is known before the first one; nil sends chunks.
    var length: Int? { get }

    /// The bytes that wait in memory for the reader: what the server charges to its memory budget.
    var waitingBytes: Int { get }

    /// Copies what is ready into `buffer`, at least one byte.
    ///
    /// After `.pending` the stream calls `wake` once, as soon as there is something to read; it may do so before this
    /// call has returned, and must not hold a lock of its own while it does.
    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead

    /// Makes a sign of life readable, if the stream has one. The server asks for it at its heartbeat interval.
    func heartbeat()

    /// Ends the stream in its own words, soon: the server is going down.
    func drain()

    /// The reader has left or has been served; called exactly once, last.
    func close()
}

extension ContentStream {
    package func heartbeat() {}

    /// None, for streams that hold nothing, or account for it themselves.
    package var waitingBytes: Int { 0 }
}

/// What a stream had to give.
package enum StreamRead: Sendable, Equatable {
    case copied(Int)
    case pending
    /// Everything has been read.
    case finished
    /// The content cannot be completed: the connection is closed short, so that the client sees it.
    case failed
    /// As `failed`, and the peer gets a reset instead of an end, as from a machine that crashed.
    case reset
}

package import HTTPTypes
package import Primitives

/// A response.
///
/// A 304, and the response to a HEAD, have the content of the representation: the server sends its length and not its
/// bytes. The server writes Content-Length, Transfer-Encoding and Connection.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var fields: Fields
    package var content: Content
    /// The code of the problem that this response describes, for the log; nil for none.
    package var problem: String?

    package init(status: HTTPResponse.Status = .ok, fields: Fields = Fields(), content: Content = .none) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}

extension Response {
    /// Creates a response with text in UTF-8.
    package static func text(
        _ text: String,
        type: String = "text/plain; charset=utf-8",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, fields: [.contentType: type], content: .bytes(Array(text.utf8)))
    }

    /// Creates a response with a JSON document.
    package static func json(_ json: [UInt8], status: HTTPResponse.Status = .ok, fields: Fields = .init()) -> Response {
        // Room for the request id, which every response gets, and for two more fields.
        var all = Fields(.contentType, "application/json", capacity: fields.count + 4)
        for field in fields.entries { all.append(field.name, field.value) }
        return Response(status: status, fields: all, content: .bytes(json))
    }
}

/// A value, or the promise of one.
package enum Promised<Value: Sendable>: Sendable {
    /// A value that was produced without waiting.
    case now(Value)
    /// The work that produces the value, for one caller.
    case later(@Sendable () async throws -> Value)
}

extension Promised {
    /// Returns the result of `change` for the value.
    package func map<Changed: Sendable>(
        _ change: @escaping @Sendable (Value) throws -> Changed
    ) rethrows -> Promised<Changed> {
        switch self {
        case .now(let value): .now(try change(value))
        case .later(let work): .later { try change(try await work()) }
        }
    }

    /// Returns the value, after the work if it is promised.
    package func value() async throws -> Value {
        switch self {
        case .now(let value): value
        case .later(let work): try await work()
        }
    }
}

/// The result of a handler: a response, or the promise of one.
///
/// For a promised response the connection is suspended. The work is cancelled when the client leaves, at the deadline and
/// at the end of a drain.
package typealias Reply = Promised<Response>

/// Decodes a request, calls the domain and encodes the response.
///
/// Errors are converted to problems.
package typealias Handler = @Sendable (Request, Context) throws -> Reply

/// The content of a response.
package enum Content: Sendable {
    case none
    case bytes([UInt8])
    /// A range of bytes that several responses share: retained until the last byte is sent, and never copied.
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
    /// All bytes that several responses share.
    package static func shared(_ bytes: SharedBytes) -> Content { .shared(bytes, 0..<bytes.count) }

    /// Closes a stream that will not be read; called once, for content that is not sent.
    package func release() {
        if case .stream(let stream) = self { stream.close() }
    }
}

/// Content that is produced while it is sent.
///
/// The server pulls it, and so never queues bytes for a slow reader. A stream reserves the bytes that it keeps.
///
/// Every method may be called from any thread, and none may block.
package protocol ContentStream: AnyObject, Sendable {
    /// The exact number of bytes, if it is known before the first one; without it, chunks are sent.
    var length: Int? { get }

    /// Copies available bytes into `buffer`, at least one.
    ///
    /// After `.pending` the stream calls `wake` once, as soon as bytes are available. It may do so before this call has
    /// returned, and must not hold a lock meanwhile.
    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead

    /// Adds a heartbeat, if the stream has one; called by the server at its heartbeat interval.
    func heartbeat()

    /// Has the stream send its last event and end, because the server is shutting down.
    func drain()

    /// Ends the stream after the reader has left or has received all; called exactly once, last.
    func close()
}

extension ContentStream {
    package func heartbeat() {}
}

/// The result of a read from a stream.
package enum StreamRead: Sendable, Equatable {
    case copied(Int)
    case pending
    /// All content has been read.
    case finished
    /// The content cannot be completed: the connection is closed early, so that the client detects it.
    case failed
    /// Like `failed`, with a reset of the connection.
    case reset
}

import CMicroHTTPD
import Glibc
import HTTPExchange
import HTTPTypes
import Primitives

/// A response in the library's form.
///
/// The library's object is created for each answer, because some fields differ even for cached content (`Age`). The
/// cost of creating it is too small to measure. It counts references: queueing adds one, and then that of the service
/// is released.
///
/// The content by its kind:
///
/// | content | library's object |
/// |---|---|
/// | none, bytes | a copy: one `memcpy` is cheaper than an owner |
/// | shared | the owner's memory itself, the owner retained until the library's free callback |
/// | stream | a callback that pulls |
/// | any, to a HEAD or as a 304 | a length without bytes |
struct OutgoingResponse {
    private let pointer: OpaquePointer?
    private let status: UInt32
    /// The bytes of the head, and a few more for the lines that the library adds.
    private(set) var headBytes = 200

    /// Makes the library's object; the answer to a HEAD has the length of its content only, and `bridge` makes the
    /// bridge of a stream that will be pulled.
    init(_ response: Response, toHead: Bool, closes: Bool, bridge: (any ContentStream) -> StreamBridge) {
        let isWithoutContent = toHead || response.status == .notModified
        status = UInt32(clamping: response.status.code)
        // The library would send an interim status as if it were the answer.
        if status < 200 {
            pointer = nil
            response.content.release()
        } else if isWithoutContent {
            pointer = Self.withoutContent(response, toHead: toHead)
            response.content.release()
        } else {
            pointer = Self.withContent(response.content, bridge: bridge)
        }
        guard let pointer else { return }
        let fields = response.fields.entries.span
        for index in fields.indices where !fields[index].name.isFraming {
            // The library refuses fields with an empty value, and values with a line end, which would begin another
            // field.
            let name = fields[index].name.rawValue
            headBytes += name.utf8.count + fields[index].value.utf8.count + 4
            // Passing a string as a pointer would allocate a copy.
            name.withCString { name in
                fields[index].value.withCString { _ = MHD_add_response_header(pointer, name, $0) }
            }
        }
        if closes { MHD_add_response_header(pointer, "Connection", "close") }
    }

    /// Removes the field Link, without which clients can do: it may repeat a long query four times.
    mutating func removeLinks() {
        let name = FieldName.link.rawValue
        guard let pointer, let links = MHD_get_response_header(pointer, name) else { return }
        headBytes -= name.utf8.count + strlen(links) + 4
        MHD_del_response_header(pointer, name, links)
    }

    /// Passes the response to the library; returns false if the library refuses it.
    func queue(on connection: ConnectionHandle) -> Bool {
        guard let pointer else { return false }
        defer { MHD_destroy_response(pointer) }
        return MHD_queue_response(connection.pointer, status, pointer) == .YES
    }

    /// Releases a response that is not passed to the library.
    func discard() {
        if let pointer { MHD_destroy_response(pointer) }
    }

    // MARK: Content

    private static func withContent(_ content: Content, bridge: (any ContentStream) -> StreamBridge) -> OpaquePointer? {
        switch content {
        case .none:
            return copied(UnsafeRawBufferPointer(start: nil, count: 0))
        case .bytes(let bytes):
            return bytes.withUnsafeBytes(copied)
        case .shared(let owner, let range):
            let bytes = UnsafeRawBufferPointer(rebasing: owner.buffer[range])
            guard !bytes.isEmpty else { return copied(bytes) }
            let retained = Unmanaged<AnyObject>.passRetained(owner)
            let response = MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count,
                UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                { Unmanaged<AnyObject>.fromOpaque($0!).release() },  // `!`: `retained`, never null
                retained.toOpaque()
            )
            if response == nil { retained.release() }
            return response
        case .stream(let stream):
            if stream.length == 0 {
                stream.close()
                return copied(UnsafeRawBufferPointer(start: nil, count: 0))
            }
            return streamed(bridge(stream))
        }
    }

    private static func copied(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
        MHD_create_response_from_buffer(
            bytes.count,
            UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(Self.nothing)),
            bytes.isEmpty ? MHD_ResponseMemoryMode.RESPMEM_PERSISTENT : .RESPMEM_MUST_COPY
        )
    }

    private static func streamed(_ bridge: StreamBridge) -> OpaquePointer? {
        let retained = Unmanaged.passRetained(bridge)
        let response = MHD_create_response_from_callback(
            bridge.length.map { UInt64($0) } ?? Self.unknownLength,
            // Chunks are made in the connection's own buffer; content of a known length in one of this size.
            bridge.length == nil ? 1024 : 16_384,
            { context, position, buffer, size in
                guard let context, let buffer else { return Int(MHD_CONTENT_READER_END_WITH_ERROR) }
                let bridge = Unmanaged<StreamBridge>.fromOpaque(context).takeUnretainedValue()
                return bridge.pull(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: size),
                    position: position
                )
            },
            retained.toOpaque(),
            { Unmanaged<StreamBridge>.fromOpaque($0!).takeRetainedValue().close() }  // `!`: `retained`, never null
        )
        if response == nil { retained.takeRetainedValue().close() }
        return response
    }

    // MARK: No content

    /// The response to a HEAD, or a 304: the length of the representation without its bytes.
    ///
    /// It is never made from a callback: the library would end even a HEAD's chunked answer with the last chunk, and
    /// the client would take "0" for the next status line. It is made from a buffer of the right length that is never
    /// read: for both, `MHD_queue_response` sets the write position to the end, and the body is neither sent with the
    /// head nor after it (connection.c of 0.9.75: `rp_props.send_reply_body`).
    ///
    /// An unknown length, of a stream to a HEAD or of a 304 without its representation, must not be written as 0. The
    /// library sends no length only in the style of HTTP/1.0, where the end of the connection ends the response.
    private static func withoutContent(_ response: Response, toHead: Bool) -> OpaquePointer? {
        var length = response.content.length
        if !toHead, case .none = response.content { length = nil }
        let pointer = MHD_create_response_from_buffer(
            length ?? Int(bitPattern: UInt(Self.unknownLength)),
            UnsafeMutableRawPointer(Self.nothing),
            .RESPMEM_PERSISTENT
        )
        if length == nil, let pointer { microhttpd_end_with_connection(pointer) }
        return pointer
    }

    /// `MHD_SIZE_UNKNOWN`, a cast that Swift does not import.
    private static let unknownLength = UInt64.max

    /// An address for the library, which needs one even if it reads nothing.
    ///
    /// `nonisolated(unsafe)`: the byte is never accessed.
    nonisolated(unsafe) private static let nothing = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}

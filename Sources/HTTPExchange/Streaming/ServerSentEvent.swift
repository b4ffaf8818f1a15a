import Primitives

/// An event of a stream (WHATWG HTML, section 9.2.5: https://html.spec.whatwg.org/#parsing-an-event-stream).
package enum ServerSentEvent {
    /// Returns an encoded event, with the empty line that ends it.
    ///
    /// A page listens for the name. The id is the value of Last-Event-ID when a client reconnects; nil keeps the previous
    /// one. A space follows each colon: clients remove one, which could otherwise belong to the value.
    ///
    /// - Precondition: each part is one line, as the JSON of the service is.
    package static func bytes(_ name: String, id: String? = nil, data: String) -> [UInt8] {
        let text = "event: \(name)\n\(id.map { "id: \($0)\n" } ?? "")data: \(data)\n\n"
        let lines = id == nil ? 3 : 4
        let ends = text.utf8.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        precondition(ends == lines, "each part of an event must be one line")
        return Array(text.utf8)
    }

    /// A comment without text, which pages do not see (section 9.2.7 recommends one every 15 seconds).
    static let heartbeat = {
        let text: StaticString = ":\n\n"
        return SharedBytes(constant: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }()
}

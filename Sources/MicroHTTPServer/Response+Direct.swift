import Glibc
import HTTPExchange
import HTTPTypes

extension Response {
    /// Writes a small response to the socket, past the library, for a request with a head that is too large.
    ///
    /// The library keeps the head of a request and that of its response in one memory (`HeadSize.memory`). If the first
    /// leaves too little of it, the library closes the connection without a response (connection.c of 0.9.75,
    /// `build_header_response`). Such a request is always refused, and the connection ends with the refusal.
    ///
    /// Nothing else is being sent then: the library reads a request after it has written all of the response before it. The
    /// descriptor does not block (`Acceptor`): the kernel takes all at once, unless the client reads nothing at all.
    ///
    /// The content is in bytes, or there is none; the answer to a HEAD (`toHead`) has only its length.
    func sendDirectly(on descriptor: Int32, toHead: Bool) {
        var content: [UInt8] = []
        if case .bytes(let bytes) = self.content { content = bytes }
        var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        // A value with a line end would begin another field.
        for field in fields where field.value.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) {
            head += "\(field.name.rawValue): \(field.value)\r\n"
        }
        head += "Date: \(Self.date())\r\nConnection: close\r\nContent-Length: \(content.count)\r\n\r\n"
        (Array(head.utf8) + (toHead ? [] : content)).withUnsafeBytes { bytes in
            _ = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Returns the present time as the field Date has it (RFC 9110, section 5.6.7): in the C locale, which no part changes.
    private static func date() -> String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        return String(unsafeUninitializedCapacity: 32) { text in
            text.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, 32, "%a, %d %b %Y %H:%M:%S GMT", &parts) }
        }
    }
}

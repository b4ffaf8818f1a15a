import HTTPTypes

/// The methods that clients send, made once.
enum Methods {
    private struct Entry {
        let text: StaticString
        let method: HTTPRequest.Method
    }

    /// The usual ones first.
    private static let known = [
        Entry(text: "GET", method: .get), Entry(text: "POST", method: .post), Entry(text: "HEAD", method: .head),
        Entry(text: "PUT", method: .put), Entry(text: "DELETE", method: .delete),
        Entry(text: "PATCH", method: .patch), Entry(text: "OPTIONS", method: .options),
    ]

    /// What a method that is not even a token (RFC 9110, section 9.1) is taken for: one that nobody knows.
    private static let malformed = HTTPRequest.Method("MALFORMED") ?? .trace

    /// The method that the text spells, in its case.
    static func method(of text: UnsafePointer<CChar>) -> HTTPRequest.Method {
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        for entry in known where spells(bytes, entry.text) { return entry.method }
        return HTTPRequest.Method(String(cString: text)) ?? malformed
    }

    /// Whether bytes that end with a zero are these.
    ///
    /// The comparison ends at the first that differs, so it never reads behind the zero.
    private static func spells(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
        for position in 0..<text.utf8CodeUnitCount where bytes[position] != text.utf8Start[position] { return false }
        return bytes[text.utf8CodeUnitCount] == 0
    }
}

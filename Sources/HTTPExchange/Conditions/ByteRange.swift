import HTTPTypes
import Primitives

/// The field Range (RFC 9110, section 14.1.2).
package enum ByteRange {
    /// Returns the range that a text requests of `length` bytes: `bytes=500-999`, `bytes=500-`, or `bytes=-500`, the last ones.
    ///
    /// It is empty if they do not overlap (416). It is nil for malformed text, another unit and several ranges, all of which a
    /// server may ignore (section 14.2).
    package static func requested(by text: String, of length: Int) -> Range<Int>? {
        guard let separator = text.utf8.firstIndex(of: UInt8(ascii: "=")), text[..<separator].lowercased() == "bytes"
        else {
            return nil
        }
        let parts = text[text.utf8.index(after: separator)...].trimmingBlanks().utf8
            .split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (ByteRange.number(parts[0]), ByteRange.number(parts[1])) {
        case (let first?, let last?) where first <= last: return min(first, length)..<min(last, length - 1) + 1
        case (let first?, nil) where parts[1].isEmpty: return min(first, length)..<length
        case (nil, let count?) where parts[0].isEmpty: return max(0, length - count)..<length
        default: return nil
        }
    }

    /// Parses digits; a number too large for an `Int` counts as the largest, since no content is longer.
    private static func number(_ text: Substring.UTF8View) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(Substring(text)) ?? Int.max
    }
}

extension Response {
    /// Returns the part that Range requests, as 206 with Content-Range; shared bytes are not copied.
    ///
    /// Returns the whole response unless it is a 200 to a GET with a strong ETag and content in memory, and If-Range, if
    /// present, has the same ETag (RFC 9110, section 13.1.5; dates are not supported).
    ///
    /// - Throws: `Problem` 416 with the length of the content for a range outside of it.
    package func satisfyingRange(of request: Request) throws(Problem) -> Response {
        guard status == .ok, request.method == .get, let current = fields[.eTag].flatMap({ EntityTag($0) }),
            !current.isWeak, let asked = request.fields.single(.range)
        else { return self }
        if let condition = request.fields[.ifRange], EntityTag(condition)?.isSame(as: current) != true { return self }
        switch content {
        case .none, .stream: return self
        case .bytes(let bytes): return try part(asked, of: bytes.count) { .bytes(Array(bytes[$0])) }
        case .shared(let bytes, let whole):
            return try part(asked, of: whole.count) { part in
                .shared(bytes, whole.lowerBound + part.lowerBound..<whole.lowerBound + part.upperBound)
            }
        }
    }

    private func part(_ asked: String, of length: Int, _ cut: (Range<Int>) -> Content) throws(Problem) -> Response {
        guard let range = ByteRange.requested(by: asked, of: length) else { return self }
        guard !range.isEmpty else {
            let fields: Fields = [.contentRange: "bytes */\(length)"]
            throw Problem(.rangeNotSatisfiable, "The content has \(length) bytes.", fields: fields)
        }
        var response = Response(status: .partialContent, fields: fields, content: cut(range))
        response.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        return response
    }
}

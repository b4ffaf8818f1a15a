import Primitives

/// One part of some content, as Range asks for it (RFC 9110, section 14.1.2).
package enum ByteRange: Sendable, Equatable {
    /// `500-`.
    case from(Int)
    /// `500-999`, the last one included.
    case span(Int, through: Int)
    /// `-500`: as many as these at the end.
    case suffix(Int)

    /// Reads `bytes=…`; nil for what is none, for another unit and for several parts, all of which a server may leave
    /// aside and answer with the whole (section 14.2).
    package init?(_ text: String) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")), text[..<mark].lowercased() == "bytes" else {
            return nil
        }
        let parts = text[text.utf8.index(after: mark)...].trimmingBlanks().utf8
            .split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (ByteRange.number(parts[0]), ByteRange.number(parts[1])) {
        case (let first?, let last?) where first <= last: self = .span(first, through: last)
        case (let first?, nil) where parts[1].isEmpty: self = .from(first)
        case (nil, let count?) where parts[0].isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// The part of content of this length, cut off at its end; nil when nothing of it is asked for (416).
    package func resolved(length: Int) -> Range<Int>? {
        switch self {
        case .from(let first): first < length ? first..<length : nil
        case .span(let first, let last): first < length ? first..<min(last, length - 1) + 1 : nil
        case .suffix(let count): count > 0 && length > 0 ? max(0, length - count)..<length : nil
        }
    }

    /// Digits alone.
    ///
    /// A number too large for an `Int` is as good as the largest: no content is longer.
    private static func number(_ text: Substring.UTF8View) -> Int? {
        guard !text.isEmpty, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int(Substring(text)) ?? Int.max
    }
}

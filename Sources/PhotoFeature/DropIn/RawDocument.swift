import PhotoFeed
import Primitives

/// A document of the library, and the ranges of its list entries.
struct RawDocument: Sendable {
    let content: [UInt8]
    /// The entries of a list, or the results of a search; empty for other documents.
    let entries: [Range<Int>]
    let total: Int?

    init(_ answer: RawAnswer, isSearch: Bool) {
        content = answer.content
        let whole = 0..<content.count
        let list = isSearch ? RawJSON.member("results", of: content, in: whole) : whole
        // A longer list, such as one of two million numbers, is not a page of the library.
        entries = list.flatMap { [content] in RawJSON.elements(of: content, in: $0, atMost: Feed.pageSize) } ?? []
        let written = isSearch ? RawJSON.member("total", of: content, in: whole) : nil
        total =
            Total.reading(written.map { [content] in String(decoding: content[$0], as: UTF8.self) })
            ?? answer.total.map(Total.bounded)
    }

    /// The bytes in a cache, with the ranges.
    var cost: Int { content.count + 16 * entries.count + 256 }
}

/// Finds the ranges of values in the text of a JSON document, so that they can be forwarded unchanged.
///
/// The document must be valid: only strings, brackets and commas are distinguished. Values of `JSON` have no ranges.
enum RawJSON {
    /// The first `limit` elements of an array, without surrounding white space; nil if the range is not an array.
    static func elements(of bytes: [UInt8], in range: Range<Int>, atMost limit: Int = .max) -> [Range<Int>]? {
        let range = trimmed(bytes, range)
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "[") else { return nil }
        return parts(of: bytes, in: range.lowerBound + 1..<range.upperBound - 1, atMost: limit)
    }

    /// The value of a member of an object; nil if there is none.
    static func member(_ name: String, of bytes: [UInt8], in range: Range<Int>) -> Range<Int>? {
        let range = trimmed(bytes, range)
        guard range.count >= 2, bytes[range.lowerBound] == UInt8(ascii: "{") else { return nil }
        let quoted = Array("\"\(name)\"".utf8)
        for part in parts(of: bytes, in: range.lowerBound + 1..<range.upperBound - 1) {
            guard bytes[part].starts(with: quoted),
                let colon = bytes[part].dropFirst(quoted.count).firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            return trimmed(bytes, colon + 1..<part.upperBound)
        }
        return nil
    }

    /// The parts between the commas of this level.
    private static func parts(of bytes: [UInt8], in range: Range<Int>, atMost limit: Int = .max) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        var depth = 0
        var position = range.lowerBound
        while position < range.upperBound {
            switch bytes[position] {
            case UInt8(ascii: "\""): position = endOfString(bytes, from: position)
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(trimmed(bytes, start..<position))
                if parts.count == limit { return parts }
                start = position + 1
            default: break
            }
            position += 1
        }
        let last = trimmed(bytes, start..<range.upperBound)
        return last.isEmpty ? parts : parts + [last]
    }

    /// The position of the quote that ends a string.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return position
    }

    private static func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        bytes[range].trimming { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }.indices
    }
}

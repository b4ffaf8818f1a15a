import PhotoFeed
import Primitives

/// A document of the library, and the ranges of its list entries.
struct RawDocument: Sendable {
    let content: [UInt8]
    /// The entries of a list, or the results of a search; empty for other documents.
    let entries: [Range<Int>]
    let total: Int?
    let hasNext: Bool

    init(_ answer: RawAnswer, isSearch: Bool) {
        content = answer.content
        let whole = 0..<content.count
        let list = isSearch ? RawJSON.member("results", of: content, in: whole) : whole
        // A longer list, such as one of two million numbers, is not a page of the library.
        let found = list.flatMap { [content] in RawJSON.elements(of: content, in: $0, atMost: Feed.pageSize) }
        entries = found ?? []
        let written = isSearch ? RawJSON.member("total", of: content, in: whole) : nil
        total =
            Total.reading(written.map { [content] in String(decoding: content[$0], as: UTF8.self) })
            ?? answer.total.map(Total.bounded)
        hasNext = answer.hasNext && !entries.isEmpty
    }

    /// The bytes in a cache, with the ranges.
    var cost: Int { content.count + 16 * entries.count + 256 }
}

/// The target of a request for the library, in a form that is equal for equal requests, so that they share a fetch.
struct RawTarget: Sendable {
    /// The path of the library.
    let path: String
    /// Name and value, decoded, sorted by name.
    let parameters: [(name: String, value: String)]

    /// The parameters of the library besides page and per_page.
    ///
    /// All others are dropped, such as `client_id`: a key of the client must not reach the library, a log or a cache.
    static let known: Set<String> = [
        "query", "order_by", "orientation", "color", "content_filter", "lang", "collections", "topics", "username",
        "count", "ids",
    ]

    /// The parameters with credentials of the client.
    private static let credentials: Set<String> = ["client_id", "client_secret", "access_token", "bearer_token"]

    /// Whether a parameter of this name, decoded, has credentials of the client, as `client_id[]` does too.
    static func isCredential(_ name: String) -> Bool {
        credentials.contains(name.lowercased().prefix { $0 != "[" }.filter { !$0.isWhitespace })
    }

    /// The name of the resource in the library's errors.
    var resource: String {
        switch path.split(separator: "/").first {
        case "topics": "Topic"
        case "collections": "Collection"
        default: "Photo"
        }
    }

    /// The path and query for the library, with more parameters.
    func text(_ more: [(name: String, value: String)] = []) -> String {
        let all = (parameters + more).sorted { $0.name < $1.name }
        if all.isEmpty { return path }
        return path + "?" + all.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

/// Finds the ranges of values in the text of a JSON document, so that they can be forwarded unchanged.
///
/// The document must be valid: only strings, brackets and commas are distinguished. The values of `JSON` have no ranges in
/// the text, which only this forwarding needs.
enum RawJSON {
    /// The elements of an array, without surrounding white space; nil if the range is not an array.
    ///
    /// At most `limit` elements are returned.
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

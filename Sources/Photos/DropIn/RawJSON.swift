import PhotoLibrary
import Primitives

/// Finds values in the text of a JSON document, so that they can be forwarded unchanged.
///
/// The document must be valid: only strings, brackets and commas are distinguished. Values of `JSON` have no text.
enum RawJSON {
    /// The entries of a list of the library, none if the document is no list, and the length of the whole list.
    static func list(_ answer: LibraryAnswer, isSearch: Bool) -> (entries: [ArraySlice<UInt8>], total: Int?) {
        let content = answer.content[...]
        let list = isSearch ? member("results", of: content) : content
        let total = isSearch ? member("total", of: content) : nil
        return (
            // A longer list, such as one of two million numbers, is not a page of the library.
            list.flatMap { elements(of: $0, atMost: Feed.pageSize) } ?? [],
            total.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map(Total.bounded) ?? answer.total
        )
    }

    /// The first `limit` elements of an array, without surrounding white space; nil if the text is not an array.
    static func elements(of text: ArraySlice<UInt8>, atMost limit: Int) -> [ArraySlice<UInt8>]? {
        parts(of: text, in: "[", atMost: limit)
    }

    /// The value of a member of an object; nil if there is none.
    static func member(_ name: String, of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let quoted = Array("\"\(name)\"".utf8)
        for part in parts(of: text, in: "{") ?? [] where part.starts(with: quoted) {
            let afterName = part.dropFirst(quoted.count)
            if let colon = afterName.firstIndex(of: UInt8(ascii: ":")) { return trimmed(afterName[(colon + 1)...]) }
        }
        return nil
    }

    /// The first `limit` parts between the commas of a container; nil if the text has another first bracket.
    private static func parts(
        of text: ArraySlice<UInt8>,
        in bracket: Unicode.Scalar,
        atMost limit: Int = .max
    ) -> [ArraySlice<UInt8>]? {
        let container = trimmed(text)
        guard container.count >= 2, container.first == UInt8(ascii: bracket) else { return nil }
        let bytes = container.dropFirst().dropLast()
        var parts: [ArraySlice<UInt8>] = []
        var (start, position, depth) = (bytes.startIndex, bytes.startIndex, 0)
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                while position < bytes.endIndex, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0:
                parts.append(trimmed(bytes[start..<position]))
                if parts.count == limit { return parts }
                start = position + 1
            default: break
            }
            position += 1
        }
        let last = trimmed(bytes[start...])
        return last.isEmpty ? parts : parts + [last]
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.trimming { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
    }
}

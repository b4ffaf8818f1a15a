import Primitives

/// A parameter of a query as it arrived: an encoded name, and an encoded value behind the first `=`.
///
/// `Query` checks parameters by name; other formats of queries read their pairs.
package struct QueryPair: Sendable {
    package let text: Substring
    package let encodedName: Substring
    /// Empty without a `=`.
    package let encodedValue: Substring

    fileprivate init(_ text: Substring) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
        self.text = text
        encodedName = text[..<end]
        encodedValue = text[end...].dropFirst()
    }

    /// The decoded name; nil if it is not percent-encoded UTF-8 text.
    package var name: String? { PercentEncoding.decode(encodedName, plusIsSpace: true) }

    /// The decoded value; nil if it is not percent-encoded UTF-8 text.
    package var value: String? { PercentEncoding.decode(encodedValue, plusIsSpace: true) }
}

extension Target {
    /// The parameters of the query, in their order.
    package var queryPairs: [QueryPair] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { QueryPair(Substring($0)) }
    }
}

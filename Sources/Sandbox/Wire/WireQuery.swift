import HTTPExchange
import Primitives

/// A query as the upstream reads it: leniently.
///
/// What it does not know it passes over, and the last of two wins.
struct WireQuery: Sendable {
    /// Names and values, decoded, in the order received.
    let items: [(name: String, value: String)]

    init(_ target: Target) {
        items = (target.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// The value of `name`; nil without one.
    subscript(name: String) -> String? {
        items.last { $0.name == name }?.value
    }

    /// A number; nil without one and for anything else.
    func number(_ name: String) -> Double? {
        self[name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// A whole number of at least 1: absent, 0, negative and unreadable ones are `fallback`, as on the upstream, where
    /// `page=0` answers the same as `page=1`.
    func positive(_ name: String, or fallback: Int) -> Int {
        guard let value = self[name].flatMap({ Int($0) }), value > 0 else { return fallback }
        return value
    }

    private static func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text, plusIsSpace: true) ?? String(text)
    }
}

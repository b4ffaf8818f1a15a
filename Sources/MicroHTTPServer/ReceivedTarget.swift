import Glibc
import HTTPExchange

/// The target of a request line, taken over from the library's buffer and looked through once.
///
/// A client mostly asks one connection for the same thing again, a bar's events above all. So a connection keeps its
/// last target, and a request line that spells the same costs a comparison: no text is made, split, searched or routed
/// anew.
struct ReceivedTarget: Sendable {
    let target: Target
    /// Whether a control or a space is anywhere in it, or an encoded control in its path.
    let hasControl: Bool

    /// The longest target that a connection keeps, in bytes.
    ///
    /// What is kept stays as long as the connection, and with it what a router has made of it: thousands of idle
    /// clients that once sent 30 kB must not hold as much. The paths of this service have fewer than a hundred bytes.
    static let keptLength = 256

    /// Takes over text that ends with a zero byte.
    init(_ text: UnsafePointer<CChar>) {
        target = Target(String(cString: text))
        hasControl = Self.hasControl(in: target.raw)
    }

    /// Whether so many bytes spell this target.
    func isSpelled(by text: UnsafePointer<CChar>, count: Int) -> Bool {
        // Text whose UTF-8 had to be repaired differs from what it was made of, and so is never found again.
        target.raw.utf8.span.withUnsafeBufferPointer { raw in
            guard raw.count == count, let start = raw.baseAddress else { return false }
            return memcmp(start, text, count) == 0
        }
    }

    /// Whether a target has a control or a space anywhere, or an encoded control in its path.
    ///
    /// `%00` to `%1F` and `%7F` have no meaning in a path of ours, and `%00` cuts the C strings of whoever decodes it.
    /// In a query they are data: a parameter may hold an encoded line feed.
    static func hasControl(in target: String) -> Bool {
        var target = target
        return target.withUTF8 { bytes in
            if ByteSearch.hasControl(bytes) || ByteSearch.contains(UInt8(ascii: " "), bytes) { return true }
            return ByteSearch.contains(UInt8(ascii: "%"), bytes) && hasEncodedControl(inPathOf: bytes)
        }
    }

    private static func hasEncodedControl(inPathOf target: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in target.indices {
            if target[index] == UInt8(ascii: "?") { return false }
            guard target[index] == UInt8(ascii: "%"), index + 2 < target.count else { continue }
            switch (target[index + 1], target[index + 2] | 0x20) {
            case (UInt8(ascii: "0"), _), (UInt8(ascii: "1"), _), (UInt8(ascii: "7"), UInt8(ascii: "f")): return true
            default: break
            }
        }
        return false
    }
}

import Glibc
import HTTPExchange
import HTTPTypes

/// The target of a request line, taken over from the library's buffer and looked through once.
///
/// A client mostly asks one connection for the same thing again, a bar's events above all. So a connection keeps its
/// last target, and a request line that spells the same costs a comparison: no text is made, split, searched or routed
/// anew.
struct ReceivedTarget: Sendable {
    let target: Target
    /// What is special about it; nil for a well-formed path with or without a query, which nearly all are.
    let special: Special?

    /// What is special about a target; a class, so that a request carries one reference along, to nothing mostly.
    final class Special: Sendable {
        /// Why the target is refused whatever the method is; nil when it may go on.
        let refusal: Refusal?
        /// The host and port of an absolute target (`http://host/path`), which replace the field Host (RFC 9112, section
        /// 3.2.2); nil for other forms.
        let authority: String?
        /// Whether the form is a host and port, which is for CONNECT alone.
        private let isForConnect: Bool

        init(_ bytes: UnsafeBufferPointer<UInt8>, form: TargetGrammar.Form, refusal: Refusal?) {
            self.refusal = refusal
            isForConnect = form == .other
            switch form {
            case .absolute(let range): authority = String(decoding: bytes[range], as: UTF8.self)
            case .origin, .asterisk, .other: authority = nil
            }
        }

        /// Why a request of that method with this target is refused; nil when it may go on.
        func refusal(for method: HTTPRequest.Method) -> Refusal? {
            isForConnect && method != .connect ? refusal ?? .malformedTarget : refusal
        }
    }

    /// The longest target that a connection keeps, in bytes.
    ///
    /// What is kept stays as long as the connection, and with it what a router has made of it: thousands of idle
    /// clients that once sent 30 kB must not hold as much. The paths of this service have fewer than a hundred bytes.
    static let keptLength = 256

    /// Takes over text that ends with a zero byte.
    init(_ text: UnsafePointer<CChar>) {
        let start = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        let bytes = UnsafeBufferPointer(start: start, count: strlen(text))
        let form = TargetGrammar.form(of: bytes)
        target = Target(String(decoding: bytes, as: UTF8.self))
        let refusal = TargetGrammar.refusal(of: bytes, form: form)
        special = refusal == nil && form == .origin ? nil : Special(bytes, form: form, refusal: refusal)
    }

    /// Whether so many bytes spell this target.
    func isSpelled(by text: UnsafePointer<CChar>, count: Int) -> Bool {
        // Text whose UTF-8 had to be repaired differs from what it was made of, and so is never found again.
        target.raw.utf8.span.withUnsafeBufferPointer { raw in
            guard raw.count == count, let start = raw.baseAddress else { return false }
            return memcmp(start, text, count) == 0
        }
    }
}

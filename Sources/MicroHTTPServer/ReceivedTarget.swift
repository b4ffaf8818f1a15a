import Glibc
import HTTPExchange
import HTTPTypes

/// The target of a request line, copied from the library's buffer and validated.
///
/// Most requests of a connection repeat the target of the previous one, above all the events of a bar. So a connection
/// keeps its last target. A repeated one is only compared: it is not copied, validated or routed again.
struct ReceivedTarget: Sendable {
    let target: Target
    /// The details of an unusual target; nil for a well-formed path with or without a query.
    let special: Special?

    /// The details of an unusual target.
    ///
    /// It is an object, so that a request has only one more reference, which is nearly always nil.
    final class Special: Sendable {
        /// The refusal of the target for any method; nil for an allowed one.
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

        /// Returns the refusal of a request of that method; nil for an allowed one.
        func refusal(for method: HTTPRequest.Method) -> Refusal? {
            isForConnect && method != .connect ? refusal ?? .malformedTarget : refusal
        }
    }

    /// The longest target that a connection keeps, in bytes.
    ///
    /// A kept target and its route use memory as long as the connection is open: thousands of idle clients must not hold
    /// 30 kB each. The paths of this service have fewer than a hundred bytes.
    static let keptLength = 256

    /// Copies and validates a text that ends with a zero byte.
    init(_ text: UnsafePointer<CChar>) {
        let start = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        let bytes = UnsafeBufferPointer(start: start, count: strlen(text))
        let form = TargetGrammar.form(of: bytes)
        target = Target(String(decoding: bytes, as: UTF8.self))
        let refusal = TargetGrammar.refusal(of: bytes, form: form)
        special = refusal == nil && form == .origin ? nil : Special(bytes, form: form, refusal: refusal)
    }

    /// Returns whether these bytes are the same target.
    func isSpelled(by text: UnsafePointer<CChar>, count: Int) -> Bool {
        // A target with repaired UTF-8 differs from the received bytes, so it is never the same.
        target.raw.utf8.span.withUnsafeBufferPointer { raw in
            guard raw.count == count, let start = raw.baseAddress else { return false }
            return memcmp(start, text, count) == 0
        }
    }
}

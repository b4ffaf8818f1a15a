import CMicroHTTPD
import Glibc
import HTTPTypes

/// The methods that clients send, made once.
enum Methods {
    private static let known: [HTTPRequest.Method] = [.get, .post, .head, .put, .delete, .patch, .options]

    /// What a method that is not even a token (RFC 9110, section 9.1) is taken for: one that nobody knows.
    private static let malformed = HTTPRequest.Method("MALFORMED") ?? .trace

    /// The method that the text spells, in its case.
    static func method(of text: UnsafePointer<CChar>) -> HTTPRequest.Method {
        for method in known where strcmp(text, method.rawValue) == 0 { return method }
        return HTTPRequest.Method(String(cString: text)) ?? malformed
    }
}

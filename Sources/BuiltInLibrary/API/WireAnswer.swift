package import HTTPExchange
import HTTPTypes
import JSON

/// An answer of the API: its document, and the page if it is a list.
struct WireAnswer: Sendable {
    let json: WireJSON
    var page: ListPage?
}

/// A template in JSON: the values in it are written in JSON, nil as `null`, and other templates as they are.
struct WireJSON: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    /// An array, or the members of an object without its braces.
    static func list(_ elements: [WireJSON]) -> WireJSON {
        WireJSON(stringLiteral: elements.map(\.text).joined(separator: ","))
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ json: WireJSON) { text += json.text }
        mutating func appendInterpolation(_ json: WireJSON?) { text += json?.text ?? "null" }
        mutating func appendInterpolation(_ value: String?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Int?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Double?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Bool) { append { $0.value(value) } }

        private mutating func append(_ write: (inout JSONWriter) -> Void) {
            var json = JSONWriter(capacity: 64)
            write(&json)
            text += String(decoding: json.bytes, as: UTF8.self)
        }
    }
}

/// The upstream's errors, with its messages.
package struct WireError: Error, Equatable {
    let status: Int
    let message: String

    package init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    /// The key is missing or unknown.
    package static let invalidToken = WireError(status: 401, message: "OAuth error: The access token is invalid")

    /// There is no such resource; its type, such as `Photo`.
    static func notFound(_ resource: String) -> WireError {
        WireError(status: 404, message: "Couldn't find \(resource)")
    }

    /// The answer: `{"errors":["…"]}`.
    package var response: Response {
        let json: WireJSON = "{\"errors\":[\(message as String?)]}"
        return .json(
            Array(json.text.utf8),
            status: HTTPResponse.Status(code: status),
            fields: [.cacheControl: "no-cache"]
        )
    }
}

extension Optional {
    /// Returns the value; throws the upstream's 404 if there is no such resource.
    func orNotFound(_ resource: String) throws(WireError) -> Wrapped {
        guard let self else { throw .notFound(resource) }
        return self
    }
}

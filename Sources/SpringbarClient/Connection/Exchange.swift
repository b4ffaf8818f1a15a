/// A request to the service, as values.
struct ServiceRequest: Sendable, Equatable {
    var method: String
    /// The path without the base, percent-encoded.
    var path: String
    var query: [Parameter] = []
    var fields: [String: String] = [:]
    var content: String?

    /// A query parameter.
    struct Parameter: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The path and the encoded query.
    var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { $0.name + "=" + ServiceRequest.encoded($0.value) }.joined(separator: "&")
    }

    /// Returns a text with all but the unreserved characters of RFC 3986 encoded.
    static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": encoded.unicodeScalars.append(scalar)
            default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}

/// A response of the service, as values.
struct ServiceResponse: Sendable {
    let status: Int
    /// Header fields by name in lower case.
    let fields: [String: String]
    let content: [UInt8]

    /// Returns the document of a successful response.
    ///
    /// - Throws: the problem of an error response, or `unreadable`.
    func document() throws(Problem) -> JSONDocument {
        var document: JSONDocument?
        if !content.isEmpty {
            let isJSON = fields["content-type"]?.contains("json") ?? false
            document = isJSON ? try? JSONReader.document(content) : nil
            if document == nil { throw .unreadable(status: status) }
        }
        guard status < 400 else {
            let retryAfter = fields["retry-after"].flatMap(UInt32.init).map(Double.init)
            throw Problem(
                status: status,
                document: document,
                requestID: fields["x-request-id"],
                retryAfter: retryAfter
            )
        }
        return document ?? .null
    }
}

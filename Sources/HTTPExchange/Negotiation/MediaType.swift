/// A media type such as `text/css; charset=utf-8` (RFC 9110, section 8.3.1), or a range of them such as `image/*`.
package struct MediaType: Sendable, Equatable, CustomStringConvertible {
    /// In lower case.
    package let type: String
    /// In lower case; `*` in a range.
    package let subtype: String
    /// `type/subtype`, without the parameters.
    package let essence: String
    /// Names in lower case, values as given, without quotes.
    package let parameters: [Parameter]

    /// An attribute, such as a charset.
    package struct Parameter: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    /// Parses a media type or range; nil for malformed text.
    package init?(_ text: some StringProtocol) {
        var scanner = FieldScanner(text)
        guard let type = scanner.token(), scanner.skip(UInt8(ascii: "/")), let subtype = scanner.token(),
            type != "*" || subtype == "*", let parameters = scanner.parameters(), scanner.isAtEnd
        else { return nil }
        let attributes = parameters.map { Parameter(name: $0.name.lowercased(), value: $0.value) }
        self.init(type: type.lowercased(), subtype: subtype.lowercased(), parameters: attributes)
    }

    package var description: String { parameters.reduce(essence) { "\($0); \($1.name)=\($1.value)" } }

    /// Returns the value of a parameter.
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Returns whether the type and a range overlap, without their parameters: an offer may be a range such as `image/*`,
    /// if the type is not known yet.
    func overlaps(_ range: MediaType) -> Bool {
        (type == range.type || type == "*" || range.type == "*")
            && (subtype == range.subtype || subtype == "*" || range.subtype == "*")
    }

    init(type: String, subtype: String, parameters: [Parameter] = []) {
        self.type = type
        self.subtype = subtype
        essence = "\(type)/\(subtype)"
        self.parameters = parameters
    }
}

extension MediaType {
    package static let json = MediaType(type: "application", subtype: "json")
    package static let problem = MediaType(type: "application", subtype: "problem+json")
    package static let eventStream = MediaType(type: "text", subtype: "event-stream")
    package static let plainText = MediaType(type: "text", subtype: "plain")
    package static let html = MediaType(type: "text", subtype: "html")
    package static let css = MediaType(type: "text", subtype: "css")
    package static let svg = MediaType(type: "image", subtype: "svg+xml")
    package static let png = MediaType(type: "image", subtype: "png")
    package static let avif = MediaType(type: "image", subtype: "avif")
    package static let anyImage = MediaType(type: "image", subtype: "*")
    package static let yaml = MediaType(type: "application", subtype: "yaml")
}

extension Request {
    /// Refuses content without a Content-Type of JSON, and content with a coding such as gzip.
    ///
    /// Parameters have no meaning for JSON (RFC 8259, section 11) and are ignored, also a charset: many clients name
    /// ISO-8859-1, and send ASCII. Content that is not UTF-8 is refused by the parser.
    ///
    /// - Throws: `Problem` 415, also if Content-Type is missing or repeated.
    package func requireJSON() throws(Problem) {
        if fields[.contentEncoding] != nil,
            let coding = fields.values(of: .contentEncoding).first(where: { $0.lowercased() != "identity" })
        {
            // RFC 9110, section 15.5.16: Accept-Encoding tells the client that the coding is the reason.
            let detail = "The content must have no Content-Encoding, was `\(coding[...].excerpt)`."
            throw Problem(.unsupportedMediaType, detail, fields: [.acceptEncoding: "identity"])
        }
        let json = MediaType.json.essence
        guard let value = fields.single(.contentType) else {
            let fault = fields[.contentType] == nil ? "missing" : "repeated"
            throw Problem(.unsupportedMediaType, "Content-Type is \(fault); it must be \(json).")
        }
        if value == json { return }
        guard let type = MediaType(value), type.essence == json else {
            throw Problem(.unsupportedMediaType, "Content-Type must be \(json), was `\(value[...].excerpt)`.")
        }
    }
}

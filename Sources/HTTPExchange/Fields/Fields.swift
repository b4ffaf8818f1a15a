import HTTPTypes

/// The fields of a message, in the order received (RFC 9110, section 5).
///
/// `HTTPFields` of swift-http-types builds a hash index at its first look-up. A request has few fields and few look-ups, so
/// this is an array that is scanned. Values are not checked when they are set: the server refuses control
/// characters in requests, and does not send line ends in responses.
package struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The fields, in the order received.
    ///
    /// An array, so that another module reads it without a call for each element.
    package private(set) var entries: [Field]

    /// One field of a message.
    package struct Field: Sendable, Equatable {
        package let name: FieldName
        package let value: String
    }

    /// Creates no fields.
    package init() {
        entries = []
    }

    /// Creates fields in the given order.
    package init(dictionaryLiteral elements: (FieldName, String)...) {
        // Most literals are empty default values; mapping even an empty array has a cost.
        entries = elements.isEmpty ? [] : elements.map { Field(name: $0, value: $1) }
    }

    /// Creates no fields, with room for `capacity`.
    package init(capacity: Int) {
        entries = []
        entries.reserveCapacity(capacity)
    }

    package var count: Int { entries.count }

    /// The first value of `name`, or nil; setting replaces every field of that name, setting nil removes them.
    package subscript(name: FieldName) -> String? {
        get {
            for entry in entries where entry.name == name { return entry.value }
            return nil
        }
        set {
            guard let newValue else {
                entries.removeAll { $0.name == name }
                return
            }
            let field = Field(name: name, value: newValue)
            guard let first = entries.firstIndex(where: { $0.name == name }) else {
                entries.append(field)
                return
            }
            entries[first] = field
            var position = entries.count - 1
            while position > first {
                if entries[position].name == name { entries.remove(at: position) }
                position -= 1
            }
        }
    }

    /// Returns every value of `name`, in the order received.
    package func values(of name: FieldName) -> [String] {
        var values: [String] = []
        for entry in entries where entry.name == name { values.append(entry.value) }
        return values
    }

    /// Returns the value of a field that is present exactly once; nil for none and for several.
    package func single(_ name: FieldName) -> String? {
        var found: String?
        for entry in entries where entry.name == name {
            if found != nil { return nil }
            found = entry.value
        }
        return found
    }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ name: consuming FieldName, _ value: consuming String) {
        append(Field(name: name, value: value))
    }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ field: consuming Field) {
        entries.append(field)
    }
}

extension Fields: RandomAccessCollection {
    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> Field { entries[position] }
}

/// The name of a field, equal in any case (RFC 9110, section 5.1).
///
/// A request has several fields, and each is looked for about ten times. So a common name is an enumeration case, without
/// references to count and with one comparison. Another name is an `HTTPField.Name` of swift-http-types, which stores
/// its text twice, as written and in lower case.
@usableFromInline
package enum FieldName: Sendable {
    /// A name of the table; written `.contentType` for short.
    case known(Known)
    /// Another name; never one of the table, so that each name has one representation.
    case other(Other)

    /// A name that is not in the table; created by `FieldName.init` only.
    @usableFromInline
    package final class Other: Sendable {
        fileprivate let name: HTTPField.Name

        fileprivate init(_ name: HTTPField.Name) {
            self.name = name
        }
    }

    /// Parses a name in any case; nil if it is not a token (RFC 9110, section 5.6.2).
    package init?(_ text: String) {
        var text = text
        guard let name = text.withUTF8(FieldName.init(bytes:)) else { return nil }
        self = name
    }

    /// Parses the bytes of a name in any case; nil if it is not a token.
    package init?(bytes: UnsafeBufferPointer<UInt8>) {
        if let known = Known(bytes: bytes) {
            self = .known(known)
        } else if let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) {
            self = .other(Other(name))
        } else {
            return nil
        }
    }

    /// The usual text of a known name, such as `Content-Type`; the given text of another.
    package var text: String {
        switch self {
        case .known(let known): known.rawValue
        case .other(let other): other.name.rawName
        }
    }

    /// The text in lower case.
    package var canonicalText: String {
        switch self {
        case .known(let known): known.rawValue.lowercased()
        case .other(let other): other.name.canonicalName
        }
    }
}

extension FieldName: Hashable {
    @inlinable
    package static func == (left: FieldName, right: FieldName) -> Bool {
        switch (left, right) {
        case (.known(let left), .known(let right)): left.number == right.number
        case (.other(let left), .other(let right)): isSame(left, right)
        default: false
        }
    }

    @usableFromInline
    static func isSame(_ left: Other, _ right: Other) -> Bool {
        left.name == right.name
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalText)
    }
}

extension FieldName: CustomStringConvertible {
    @usableFromInline package var description: String { text }
}

extension FieldName {
    /// The names that clients send, and those that the service writes.
    @usableFromInline
    package enum Known: String, Sendable, CaseIterable {
        /// The number of the case.
        ///
        /// Comparing cases compares their raw values, which are texts. The cast is defined: an enumeration of at most 256 cases without payloads has one byte.
        @inlinable
        package var number: UInt8 { unsafeBitCast(self, to: UInt8.self) }

        case accept = "Accept"
        case acceptCharset = "Accept-Charset"
        case acceptEncoding = "Accept-Encoding"
        case acceptLanguage = "Accept-Language"
        case acceptRanges = "Accept-Ranges"
        case accessControlAllowHeaders = "Access-Control-Allow-Headers"
        case accessControlAllowMethods = "Access-Control-Allow-Methods"
        case accessControlAllowOrigin = "Access-Control-Allow-Origin"
        case accessControlExposeHeaders = "Access-Control-Expose-Headers"
        case accessControlMaxAge = "Access-Control-Max-Age"
        case accessControlRequestHeaders = "Access-Control-Request-Headers"
        case accessControlRequestMethod = "Access-Control-Request-Method"
        case age = "Age"
        case allow = "Allow"
        case authorization = "Authorization"
        case cacheControl = "Cache-Control"
        case cacheStatus = "Cache-Status"
        case connection = "Connection"
        case contentDisposition = "Content-Disposition"
        case contentEncoding = "Content-Encoding"
        case contentLanguage = "Content-Language"
        case contentLength = "Content-Length"
        case contentRange = "Content-Range"
        case contentSecurityPolicy = "Content-Security-Policy"
        case contentType = "Content-Type"
        case cookie = "Cookie"
        case crossOriginOpenerPolicy = "Cross-Origin-Opener-Policy"
        case crossOriginResourcePolicy = "Cross-Origin-Resource-Policy"
        case dnt = "DNT"
        case eTag = "ETag"
        case expect = "Expect"
        case forwarded = "Forwarded"
        case host = "Host"
        case idempotencyKey = "Idempotency-Key"
        case ifMatch = "If-Match"
        case ifModifiedSince = "If-Modified-Since"
        case ifNoneMatch = "If-None-Match"
        case ifRange = "If-Range"
        case ifUnmodifiedSince = "If-Unmodified-Since"
        case keepAlive = "Keep-Alive"
        case lastEventID = "Last-Event-ID"
        case lastModified = "Last-Modified"
        case link = "Link"
        case location = "Location"
        case origin = "Origin"
        case permissionsPolicy = "Permissions-Policy"
        case pragma = "Pragma"
        case priority = "Priority"
        case range = "Range"
        case referer = "Referer"
        case referrerPolicy = "Referrer-Policy"
        case retryAfter = "Retry-After"
        case secCHUA = "Sec-CH-UA"
        case secCHUAMobile = "Sec-CH-UA-Mobile"
        case secCHUAPlatform = "Sec-CH-UA-Platform"
        case secFetchDest = "Sec-Fetch-Dest"
        case secFetchMode = "Sec-Fetch-Mode"
        case secFetchSite = "Sec-Fetch-Site"
        case secFetchUser = "Sec-Fetch-User"
        case secGPC = "Sec-GPC"
        case server = "Server"
        case te = "TE"
        case traceparent = "Traceparent"
        case tracestate = "Tracestate"
        case transferEncoding = "Transfer-Encoding"
        case upgrade = "Upgrade"
        case upgradeInsecureRequests = "Upgrade-Insecure-Requests"
        case userAgent = "User-Agent"
        case vary = "Vary"
        case via = "Via"
        case wwwAuthenticate = "WWW-Authenticate"
        case xContentTypeOptions = "X-Content-Type-Options"
        case xForwardedFor = "X-Forwarded-For"
        case xForwardedHost = "X-Forwarded-Host"
        case xForwardedProto = "X-Forwarded-Proto"
        case xPerPage = "X-Per-Page"
        case xRateLimitLimit = "X-Ratelimit-Limit"
        case xRateLimitRemaining = "X-Ratelimit-Remaining"
        case xRealIP = "X-Real-IP"
        case xRequestID = "X-Request-Id"
        case xRequestedWith = "X-Requested-With"
        case xTotal = "X-Total"
    }
}

extension FieldName.Known {
    /// Finds the known name with these bytes, in any case, among those of the same length.
    init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count < Self.byLength.count else { return nil }
        for entry in Self.byLength[bytes.count] where Self.isEqual(bytes, entry.text) {
            self = entry.name
            return
        }
        return nil
    }

    /// The names by the length of their text.
    private static let byLength: [[(text: [UInt8], name: Self)]] = {
        let entries = allCases.map { (text: Array($0.rawValue.utf8), name: $0) }
        let longest = entries.map(\.text.count).max() ?? 0
        return (0...longest).map { length in entries.filter { $0.text.count == length } }
    }()

    /// Compares bytes with a text of the same length, letters in any case.
    private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8]) -> Bool {
        for index in text.indices where bytes[index] != text[index] {
            // Bit 5 is the case of a letter. In other bytes it has another meaning: `\r` (0x0D) is not `-` (0x2D).
            let isLetter = UInt8(ascii: "a")...UInt8(ascii: "z") ~= text[index] | 0x20
            guard isLetter, bytes[index] ^ text[index] == 0x20 else { return false }
        }
        return true
    }
}

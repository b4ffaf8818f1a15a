import Glibc
import HTTPTypes

/// A field's name, and what the field decides in a head.
struct FieldName: Sendable {
    let text: HTTPField.Name
    let meaning: Meaning

    enum Meaning: Sendable {
        case host, contentLength, transferEncoding
        /// Nothing that the server looks at.
        case other
    }

    init(_ text: HTTPField.Name) {
        self.text = text
        meaning =
            switch text.canonicalName {
            case "host": .host
            case "content-length": .contentLength
            case "transfer-encoding": .transferEncoding
            default: .other
            }
    }
}

/// The field names that clients send, made once.
///
/// Making an `HTTPField.Name` validates the text and lowers it, two strings a field and request. Nearly every name is
/// one of a few dozen, so a name is looked up by its length and bytes, in any case, and only an unknown one is made.
enum FieldNames {
    private struct Entry {
        /// As it is usually written, such as `Content-Type`.
        let usual: [UInt8]
        let lowered: [UInt8]
        let name: FieldName
    }

    /// The known names by their length.
    private static let byLength: [[Entry]] = {
        let known = [
            "Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Access-Control-Request-Headers",
            "Access-Control-Request-Method", "Authorization", "Cache-Control", "Connection", "Content-Encoding",
            "Content-Length", "Content-Type", "Cookie", "DNT", "Expect", "Forwarded", "Host", "Idempotency-Key",
            "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since", "Keep-Alive",
            "Last-Event-ID", "Origin", "Pragma", "Priority", "Range", "Referer", "Sec-CH-UA", "Sec-CH-UA-Mobile",
            "Sec-CH-UA-Platform", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site", "Sec-Fetch-User", "Sec-GPC",
            "TE", "Traceparent", "Tracestate", "Transfer-Encoding", "Upgrade", "Upgrade-Insecure-Requests",
            "User-Agent", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP",
            "X-Request-Id", "X-Requested-With",
        ]
        var table: [[Entry]] = []
        for text in known {
            guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
            let usual = Array(text.utf8)
            while table.count <= usual.count { table.append([]) }
            let entry = Entry(usual: usual, lowered: Array(name.canonicalName.utf8), name: FieldName(name))
            table[usual.count].append(entry)
        }
        return table
    }()

    /// The name that these bytes spell; nil when they are not a token (RFC 9110, section 5.6.2).
    static func name(of bytes: UnsafeBufferPointer<UInt8>) -> FieldName? {
        if let start = bytes.baseAddress, bytes.count < byLength.count {
            for entry in byLength[bytes.count] {
                if memcmp(start, entry.usual, bytes.count) == 0 { return entry.name }
                if matches(bytes, entry.lowered) { return entry.name }
            }
        }
        return HTTPField.Name(String(decoding: bytes, as: UTF8.self)).map(FieldName.init)
    }

    /// Compares with a name in lower case, letters in any case.
    ///
    /// Setting bit 5 lowers a letter. It also turns other bytes into `-` or a letter's neighbours, so it is set only
    /// where the known name has a letter: `\r` (0x0D) is not taken for `-` (0x2D).
    private static func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ lowered: [UInt8]) -> Bool {
        for index in lowered.indices {
            let expected = lowered[index]
            let isLetter = expected >= UInt8(ascii: "a") && expected <= UInt8(ascii: "z")
            if (isLetter ? bytes[index] | 0x20 : bytes[index]) != expected { return false }
        }
        return true
    }
}

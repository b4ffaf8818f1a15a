import CCurl
import JSON
import PhotoLibrary
import Primitives

extension UpstreamError {
    /// Converts an answer of the API that is not a 200.
    ///
    /// An exhausted limit is a 403 in plain text, or the announced 429; a 403 in JSON is a missing permission. The
    /// first message of a refused query is kept for the client, without `key`, which the library may quote. A request
    /// that is too long for the library (413, 414, 431) is a refused query.
    init(_ response: TransferResponse, hiding key: String) {
        switch response.status {
        case 401: self = .credentials
        case 403 where response.remainingCalls == 0 || !UpstreamError.isJSON(response.content), 429:
            self = .rateLimited(retryAfter: response.retryAfter ?? .seconds(60))
        case 403: self = .credentials
        case 400, 410, 413, 414, 422, 431:
            let message = UpstreamError.message(response.content) ?? "The photo library refuses the query."
            // By bytes: the characters around the key may be joined to it.
            let hidden = Array(message.utf8).replacing(Array(key.utf8), with: Array("…".utf8))
            self = .invalidQuery(response.status, String(decoding: hidden, as: UTF8.self).cut(to: 200))
        default: self.init(status: response.status, retryAfter: response.retryAfter)
        }
    }

    /// Converts an answer of an image host that is not a 200.
    init(picture response: TransferResponse) {
        self.init(status: response.status == 410 ? 404 : response.status, retryAfter: response.retryAfter)
    }

    private init(status: Int, retryAfter: Duration?) {
        switch status {
        // No redirect of the API is followed, because the key is sent only to its own origin, and none without a target.
        case 300..<400: self = .unusable("status \(status)")
        case 404: self = .notFound
        case 400..<500: self = .refused(status, retryAfter: retryAfter)
        case 500..<600: self = .failed(.status(status, retryAfter: retryAfter))
        default: self = .invalid("status \(status)")
        }
    }

    /// The seconds of Retry-After: a number, or the time until a date (RFC 9110, section 10.2.3); nil for other text.
    fileprivate static func seconds(_ text: String) -> Int? {
        if let seconds = Int(text) { return seconds }
        let date = curl_getdate(text, nil)
        return date < 0 ? nil : date - WallTime.now.milliseconds / 1000
    }

    private static func isJSON(_ content: [UInt8]) -> Bool {
        content.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
    }

    /// The first of `{"errors": ["…"]}`; nil if there is none, or the document is longer than any of the library.
    private static func message(_ content: [UInt8]) -> String? {
        guard content.count <= 65_536, let root = try? JSON.parse(content).object() else { return nil }
        let errors = try? root.optional("errors")?.array(atMost: 100)
        return errors?.lazy.compactMap { try? $0.string() }.first
    }
}

extension LibraryAnswer {
    /// The content of a 200, with the fields of a list.
    init(_ response: TransferResponse) {
        self.init(
            response.content,
            total: response.fields["x-total"].flatMap { Int($0) },
            hasNext: response.fields["link"].flatMap(LinkField.hasNext),
            remainingCalls: response.remainingCalls
        )
    }
}

extension TransferResponse {
    /// The calls left in the library's hour, according to an answer of the API; nil if the field is missing.
    var remainingCalls: Int? { fields["x-ratelimit-remaining"].flatMap { Int($0) } }

    /// The wait that the host asks for, within an hour; nil if it asks for none.
    var retryAfter: Duration? {
        fields["retry-after"].flatMap(UpstreamError.seconds).map { .seconds(min(3600, max(1, $0))) }
    }
}

import Photos
import Primitives
import Synchronization

@testable import UnsplashClient

/// A photo library that answers every call with the same bytes, parsed as in `UnsplashClient`.
final class Library: Upstream {
    private let status: Int
    private let fields: [String: String]
    private let content: [UInt8]
    private let targets = Lock<[String]>([])

    /// - Parameters:
    ///   - status: the status of every response.
    ///   - fields: its fields, by lower-case names.
    ///   - content: its content, also that of a picture.
    init(status: Int = 404, fields: [String: String] = [:], content: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// The targets of raw calls, in order.
    var asked: [String] { targets.withLock { $0 } }

    var remainingCalls: Int? { fields["x-ratelimit-remaining"].flatMap { Int($0) } }

    private func answer() throws(UpstreamError) -> [UInt8] {
        guard status == 200 else {
            throw UpstreamError(TransferResponse(status: status, fields: fields, content: content), hiding: "secret")
        }
        return content
    }

    func page(_ number: Int, of feed: Feed) async throws(UpstreamError) -> UpstreamPage {
        try PhotoPayload.page(answer(), fields, of: feed)
    }

    func photo(_ idOrSlug: String) async throws(UpstreamError) -> PhotoDetail {
        try PhotoPayload.detail(answer())
    }

    func trackDownload(at location: String) async throws(UpstreamError) {
        try PhotoPayload.check(answer())
    }

    func raw(_ target: String) async throws(UpstreamError) -> RawAnswer {
        targets.withLock { $0.append(target) }
        let content = try answer()
        try PhotoPayload.check(content)
        return (content, Total.reading(fields["x-total"]))
    }

    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        guard status == 200 else { throw UpstreamError(pictureStatus: status) }
        let content = content
        try receiver.begin(length: fields["content-length"] == nil ? nil : content.count)
        let (first, second) = (content.prefix(content.count / 2), content.dropFirst(content.count / 2))
        for part in [Array(first), Array(second)] {
            let bytes = SharedBytes(part)
            try receiver.receive(bytes.buffer)
        }
    }
}

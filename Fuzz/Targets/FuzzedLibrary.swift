import PhotoLibrary
import Primitives
import Synchronization

@testable import UnsplashClient

/// A photo library that answers every call with the same bytes, as `UnsplashClient` does.
final class FuzzedLibrary: Library {
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

    /// The targets of the calls, in order.
    var asked: [String] { targets.withLock { $0 } }

    func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer {
        targets.withLock { $0.append(target) }
        let response = TransferResponse(status: status, fields: fields, content: content)
        guard status == 200 else {
            let error = UpstreamError(response, hiding: "secret")
            throw response.remainingCalls.map { .counted(error, remainingCalls: $0) } ?? error
        }
        return LibraryAnswer(response)
    }

    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        guard status == 200 else {
            throw UpstreamError(picture: TransferResponse(status: status, fields: fields, content: []))
        }
        let content = content
        try receiver.begin(length: fields["content-length"] == nil ? nil : content.count)
        let (first, second) = (content.prefix(content.count / 2), content.dropFirst(content.count / 2))
        for part in [Array(first), Array(second)] {
            let bytes = SharedBytes(part)
            try receiver.receive(bytes.buffer)
        }
    }
}

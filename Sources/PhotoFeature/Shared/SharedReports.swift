import HTTPExchange
import Logging
import PhotoFeed
import SharedState

/// The idempotency keys of downloads that replicas share: a repeated POST is reported once, whichever replica gets it.
struct SharedReports: Sendable {
    let shared: SharedPhotos
    let retries: Retries

    /// The version of the format, with which a value begins; the number of the writer and the photo follow.
    private static let format: UInt8 = 1

    /// Compares a download with the earlier one of the same key, or remembers it for a day.
    ///
    /// The call of the store is sent again while its outcome is unknown. If it remains unknown, the download counts as new:
    /// a retry would find the key of this attempt, and a report that was refused now would be lost.
    func verdict(_ key: IdempotencyKey, photo: String) async throws(UpstreamError) -> ReportKeys.Verdict {
        let writer = RecordVersion(high: shared.makeNonce(), low: shared.makeNonce()).bytes
        let value = [SharedReports.format] + writer + photo.utf8
        let present: [UInt8]?
        do {
            present = try await retries.run {
                try await shared.store.claim(key.reportKey, value, timeToLive: ReportKeys.memory)
            }.result
        } catch SharedStateError.unknownOutcome {
            return .new
        } catch {
            throw (error as? SharedStateError ?? .cancelled).forPhotos
        }
        guard let present, present != value else { return .new }
        guard present.first == SharedReports.format, present.count > writer.count else {
            shared.logger.error("a stored key of a download cannot be read")
            throw .storeUnavailable
        }
        return present.dropFirst(1 + writer.count).elementsEqual(photo.utf8) ? .repeated : .conflict
    }
}

extension IdempotencyKey {
    /// The key of a download in the store: it has the client's text and the token's fingerprint.
    var reportKey: SharedKey { SharedKey("r2:\(String(principal ?? 0, radix: 16)):\(text)") }
}

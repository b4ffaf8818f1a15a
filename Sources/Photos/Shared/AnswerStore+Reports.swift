import HTTPExchange
import Logging
import SharedState

/// The idempotency keys of downloads that replicas share: a repeated POST is reported once, whichever replica gets it.
extension AnswerStore {
    /// The version of the format, with which a value begins; the number of the writer and the photo follow.
    private static let reportFormat: UInt8 = 1

    /// Compares a download with the earlier one of the same key, or remembers it for a day.
    ///
    /// The call of the store is sent again while its outcome is unknown. If it remains unknown, the download counts as new:
    /// a retry would find the key of this attempt, and a report that was refused now would be lost.
    func verdict(_ key: IdempotencyKey, photo: String) async throws(UpstreamError) -> ReportKeys.Verdict {
        let writer = AnswerStore.makeNonce()
        let value = [AnswerStore.reportFormat] + writer + photo.utf8
        // The key has the client's text and the token's fingerprint.
        let key = "r2:\(String(key.principal ?? 0, radix: 16)):\(key.text)"
        let stored: [UInt8]?
        do {
            let retries = Retries(pause: pause)
            stored = try await retries.run { try await store.claim(key, value, timeToLive: ReportKeys.memory) }.result
        } catch SharedStateError.unknownOutcome {
            return .new
        } catch {
            throw (error as? SharedStateError ?? .cancelled).forPhotos
        }
        guard let stored, stored != value else { return .new }
        guard stored.first == AnswerStore.reportFormat, stored.count > writer.count else {
            logger.error("a stored key of a download cannot be read")
            throw .storeUnavailable
        }
        return stored.dropFirst(1 + writer.count).elementsEqual(photo.utf8) ? .repeated : .conflict
    }
}

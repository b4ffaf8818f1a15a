import HTTPExchange
import Logging
import PhotoFeed
import SharedState

/// The idempotency keys of downloads that replicas share: a repeated POST is reported once, whichever replica gets it.
struct SharedDownloads: Sendable {
    let engine: any SharedEngine
    /// Makes random numbers, by which a replica recognises its writes.
    let makeNonce: @Sendable () -> UInt64
    let pause: @Sendable (Duration) async throws -> Void
    let logger: Logger

    /// The version of the format, which is the first byte behind the version of the value.
    private static let format: UInt8 = 1
    /// The pauses before a call with an unknown outcome is sent again.
    private static let pauses: [Duration] = [.milliseconds(50), .milliseconds(150), .milliseconds(400)]

    /// Compares a download with the earlier one of the same key, or remembers it for a day.
    func verdict(_ key: IdempotencyKey, photo: String) async throws(UpstreamError) -> DownloadKeys.Verdict {
        let version = SharedVersion(high: makeNonce(), low: makeNonce())
        let value = SharedValue(version, [SharedDownloads.format] + photo.utf8)
        guard case .exists(let present) = try await create(key.downloadKey, value), present.version != version else {
            return .new
        }
        guard present.content.first == SharedDownloads.format else {
            logger.error("a stored key of a download cannot be read")
            throw .storeUnavailable
        }
        return present.content.dropFirst().elementsEqual(photo.utf8) ? .repeated : .conflict
    }

    /// Stores a key; sends it again while the outcome is unknown.
    ///
    /// If the outcome remains unknown, the download counts as new. A retry would find the key of this attempt, and a
    /// report that was refused now would be lost.
    private func create(_ key: SharedKey, _ value: SharedValue) async throws(UpstreamError) -> SharedCreation {
        var isPossiblyStored = false
        for time in SharedDownloads.pauses.map(Optional.some) + [nil] {
            do throws(SharedStateError) {
                return try await engine.create(key, value, timeToLive: DownloadKeys.memory)
            } catch .unknownOutcome {
                isPossiblyStored = true
                guard let time else { break }
                do { try await pause(time) } catch { throw .cancelled }
            } catch {
                if isPossiblyStored, error != .cancelled { return .created }
                throw error.forPhotos
            }
        }
        return .created
    }
}

extension IdempotencyKey {
    /// The key of a download in the store: it has the client's text and the token's fingerprint.
    var downloadKey: SharedKey { SharedKey("r:\(String(principal ?? 0, radix: 16)):\(text)") }
}

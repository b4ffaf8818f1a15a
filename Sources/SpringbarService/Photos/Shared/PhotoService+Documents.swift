import PhotoFeed
import SharedState
import Synchronization

/// Documents of the drop-in that several replicas share.
extension PhotoService {
    /// Gets a document of the drop-in from the other replicas, or fetches it for all of them.
    ///
    /// It has no ticket, because a replica needs it only for a request, which may wait for a round trip.
    func fetch(
        _ target: String,
        _ freshness: Freshness,
        for purpose: HourlyBudget.Purpose,
        sharedIn shared: SharedPhotos
    ) async throws(UpstreamError) -> Timestamped<RawAnswer> {
        if let failure = failures.withLock({ $0.failure(of: .raw(target), now: now) }) { throw failure }
        let life = freshness.fresh
        return try await shared.obtain(.document(target), timeToLive: life) { value throws(SharedStateError) in
            guard case .document(let document, target: target) = shared.record(value, clocks(shared)),
                freshness.state(age: now - document.fetched) == .fresh
            else { return nil }
            return document
        } fetch: { () throws(UpstreamError) in
            let answer = try await call(.raw(target), for: purpose) { () async throws(UpstreamError) in
                try await upstream.raw(target)
            }
            return Timestamped(value: answer, fetched: now)
        } land: { document, claim throws(SharedStateError) in
            let record = PhotoRecord.document(document, target: target)
            let value = shared.value(shared.makeVersion(), record, clocks(shared))
            guard value.bytes.count <= PhotoRecord.largestDocument else {
                await shared.release(claim)
                return .tooLarge
            }
            return try await shared.land(value, claim)
        }.found
    }
}

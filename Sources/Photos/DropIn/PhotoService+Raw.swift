import Primitives
import Synchronization

extension PhotoService {
    /// Returns a cached document, else one that is fetched once for all requests; if that fails, a stale one.
    func document(_ target: String, _ freshness: Freshness) async throws -> Served<RawDocument> {
        let old = documents.withLock { $0.value(for: target) }
        let hit = cached(old, freshness) {
            rawFlights.want(target) { [self] in try await fetch(target, freshness, for: .background) }
        }
        if let hit { return hit }
        return try await fetched(freshness, else: { old }) {
            try await rawFlights.value(for: target) { [self] in try await fetch(target, freshness, for: .client) }
        }
    }

    func uncachedDocument(_ target: String) async throws -> [UInt8] {
        try Self.requireFetch()
        return try await get(target, nil, for: .client) { answer throws(UpstreamError) in
            try PhotoPayload.check(answer.content)
            return answer.content
        }
    }

    private func fetch(
        _ target: String,
        _ freshness: Freshness,
        for purpose: HourlyBudget.Purpose
    ) async throws(UpstreamError) -> Timestamped<RawDocument> {
        // Between the look into the cache and the start of this fetch, another one may have ended.
        let old = documents.withLock { $0.peek(target) }
        if let old, freshness.state(age: now - old.fetched) == .fresh { return old }
        let answer = try await obtain(.document(target), .raw(target), target, for: purpose) {
            record -> Timestamped<LibraryAnswer>? in
            guard case .document(let document, target: target) = record,
                freshness.state(age: now - document.fetched) == .fresh
            else { return nil }
            return document
        } read: { answer throws(UpstreamError) in
            try PhotoPayload.check(answer.content)
            return Timestamped(value: answer, fetched: now)
        } entry: { document in
            guard document.value.content.count <= PhotoRecord.largestDocument else { return nil }
            return (.document(document, target: target), freshness.fresh)
        }
        let kept = answer.map { RawDocument($0, isSearch: DropInRequest.isSearch(target)) }
        documents.withLock { _ = $0.insert(kept, for: target, cost: kept.value.cost) }
        return kept
    }
}

import HTTPExchange
import Primitives
import Synchronization

/// A cache of complete answers by their targets as received; another spelling of a query has its own entry.
package final class AnswerCache: Sendable {
    /// The size of the cache in entries and charged bytes, and the requests that it answered and did not.
    package typealias Usage = (entries: Int, bytes: Int, hits: Int, misses: Int)

    private let state: Lock<(entries: BoundedCache<String, Response>, hits: Int, misses: Int)>

    package init(limit: Int) {
        state = Lock((BoundedCache(capacity: limit, largestShare: 0.25), 0, 0))
    }

    func answer(for name: String) -> Response? {
        state.withLock { state in
            let answer = state.entries.value(for: name)
            if answer == nil { state.misses += 1 } else { state.hits += 1 }
            return answer
        }
    }

    func store(_ answer: Response, for name: String) {
        // An upper bound for the fields, the slot and the index entry.
        let cost = (answer.content.length ?? 0) + 2 * name.utf8.count + 512
        state.withLock { _ = $0.entries.insert(answer, for: name, cost: cost) }
    }

    package var usage: Usage { state.withLock { ($0.entries.count, $0.entries.cost, $0.hits, $0.misses) } }
}

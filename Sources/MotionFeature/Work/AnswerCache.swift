import HTTPExchange
import Primitives
import Synchronization

/// A cache of complete answers that depend only on their query.
///
/// An answer is looked up by the received target first, without parsing. Then it is looked up by the canonical form of the
/// query, which is the same for `1`, `1.0` and `1e0` and for any order of the parameters; an answer found so is also
/// stored for the received target. Each of its keys is charged with the whole answer, so the limit holds for any requests.
package final class AnswerCache: Sendable {
    /// The size of the cache, and its hits and misses.
    package struct Usage: Sendable, Equatable {
        package fileprivate(set) var entries = 0
        /// The charged bytes; never above the limit.
        package fileprivate(set) var bytes = 0
        /// Requests that were answered from the cache.
        package fileprivate(set) var hits = 0
        /// Requests that were computed or refused.
        package fileprivate(set) var misses = 0
    }

    private struct State {
        var entries: BoundedCache<String, Response>
        var hits = 0
        var misses = 0
    }

    private let state: Lock<State>

    /// Creates a cache of at most `limit` bytes.
    package init(limit: Int) {
        state = Lock(State(entries: BoundedCache(capacity: limit, largestShare: 0.25)))
    }

    /// Returns the answer to a target as received; nil if it is not cached.
    func answer(for target: String) -> Response? {
        state.withLock { state in
            let answer = state.entries.value(for: target)
            if answer != nil { state.hits += 1 }
            return answer
        }
    }

    /// Returns the answer for a canonical query, after the target was not found; counts a hit or a miss.
    func answer(meaning name: String) -> Response? {
        state.withLock { state in
            let answer = state.entries.value(for: name)
            if answer == nil { state.misses += 1 } else { state.hits += 1 }
            return answer
        }
    }

    /// Stores an answer under a name.
    func store(_ answer: Response, for name: String) {
        // An upper bound for the fields, the slot and the index entry.
        let cost = (answer.content.length ?? 0) + 2 * name.utf8.count + 512
        state.withLock { _ = $0.entries.insert(answer, for: name, cost: cost) }
    }

    /// The usage, for the metrics.
    package var usage: Usage {
        state.withLock { state in
            Usage(
                entries: state.entries.count,
                bytes: state.entries.cost,
                hits: state.hits,
                misses: state.misses
            )
        }
    }
}

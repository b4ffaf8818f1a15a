import HTTPExchange
import HTTPTypes
import Synchronization

/// Answers that follow from their query alone, kept whole.
///
/// An answer is found by the target as it stands on the wire first, which costs one look-up and no parsing; then, once
/// the query is read, by its canonical form, which is the same for `1`, `1.0` and `1e0` and for any order. What is
/// found the second way is kept under the first name as well. Each name is charged with the whole answer, so that the
/// limit holds whatever anybody asks for.
package final class AnswerCache: Sendable {
    private let entries: Mutex<ClockCache<Response>>

    /// A cache of at most `limit` bytes.
    package init(limit: Int) {
        entries = Mutex(ClockCache(limit: limit))
    }

    /// The answer of that name.
    func answer(for name: String) -> Response? {
        entries.withLock { $0.value(for: name) }
    }

    /// Keeps an answer under a name.
    func keep(_ answer: Response, for name: String) {
        // Fields, slot and index entry, generously.
        let cost = (answer.content.length ?? 0) + 2 * name.utf8.count + 512
        entries.withLock { $0.insert(answer, for: name, cost: cost) }
    }

    /// What is kept, for the metrics.
    package var usage: (entries: Int, bytes: Int) {
        entries.withLock { ($0.count, $0.cost) }
    }
}

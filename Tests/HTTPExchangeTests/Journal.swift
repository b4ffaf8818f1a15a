import Primitives
import Synchronization

/// Records entries in order.
final class Journal: Sendable {
    private let noted = Lock<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    func note(_ line: String) {
        noted.withLock { $0.append(line) }
    }
}

import HTTPTypes
package import Primitives
import Synchronization

/// Counts exchanges by route template, method and status, times those that a handler has answered, and counts those in flight.
///
/// The table has a row for every template and method, and a row has a count for every status. The route table bounds their
/// number: requests without a route or a token share rows, so that strangers cannot lengthen the text of the metrics.
package final class RequestMetrics: Middleware {
    private let templates: [String]
    private let rows: [Row]
    private let active = Atomic(0)

    /// Counts by the templates of `router`.
    package init(router: Router) {
        // The last template is for requests without a route or a token.
        templates = router.templates + ["none"]
        rows = (0..<templates.count * RequestMetrics.methods.count).map { _ in Row() }
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        active.add(1, ordering: .relaxed)
        return nil
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        active.subtract(1, ordering: .relaxed)
        // The refusal of the request was counted instead.
        if context.isRefused { return }
        let isServed = context.route != nil && response.status != .unauthorized
        let template = isServed ? context.match.templateIndex : nil
        let first = (template ?? templates.count - 1) * RequestMetrics.methods.count
        let (status, elapsed) = (response.status.code, context.isHandled ? context.elapsed : nil)
        let isHead = request.method == .head
        rows[first + context.match.methodIndex].requests.withLock { requests in
            if requests == nil { requests = Requests() }
            requests?.add(status, isHead ? nil : elapsed)
        }
        guard isHead, let elapsed else { return }
        // A HEAD has the handler of the GET, the first method, and is timed with it.
        rows[first].requests.withLock { requests in
            if requests == nil { requests = Requests() }
            requests?.add(elapsed)
        }
    }

    /// The number of exchanges without a response.
    package var inFlight: Int { active.load(ordering: .relaxed) }

    /// The exchanges of each template and method that had any.
    package var all: [(route: String, method: String, requests: Requests)] {
        rows.enumerated().compactMap { index, row in
            let (template, method) = index.quotientAndRemainder(dividingBy: RequestMetrics.methods.count)
            guard let requests = row.requests.withLock({ $0 }) else { return nil }
            return (templates[template], RequestMetrics.methods[method], requests)
        }
    }

    /// The exchanges of one template and method.
    package struct Requests: Sendable {
        /// Their number by status, of which there are few.
        package private(set) var counts: [(status: Int, count: Int)] = []
        /// The times from the complete request to the response of its handler; nil if none was called.
        package private(set) var times: DurationHistogram?

        fileprivate mutating func add(_ elapsed: Duration) {
            if times == nil { times = DurationHistogram() }
            times?.record(elapsed)
        }

        fileprivate mutating func add(_ status: Int, _ elapsed: Duration?) {
            if let elapsed { add(elapsed) }
            if let index = counts.firstIndex(where: { $0.status == status }) {
                counts[index].count += 1
            } else {
                counts.append((status, 1))
            }
        }
    }

    private static let methods = Router.knownMethods.map(\.rawValue) + ["other"]

    /// A class, because an array cannot hold a lock.
    private final class Row: Sendable {
        let requests = Lock<Requests?>(nil)
    }
}

package import CoreMetrics
import HTTPTypes
import Primitives
import Synchronization

/// Counts and times exchanges by route template, method and status, and counts those in flight.
///
/// A handle of swift-metrics costs an array of labels and a look-up in its backend, so each is created once (two threads
/// may create it twice, with one series in the backend). The table has a row for every template and method, and a row has
/// a counter for every status. The route table bounds their number: unknown paths share a row, unknown methods a label.
package struct RequestMetrics: Middleware {
    private let templates: [String]
    private let rows: [Row]
    private let inFlight: Meter
    private let factory: any MetricsFactory

    /// The names of the metrics, which dashboards and alerts depend on.
    package enum Label {
        /// A counter by route, method and status.
        package static let requests = "http_requests_total"
        /// A timer by route and method.
        package static let duration = "http_request_duration_seconds"
        /// A meter of requests that have no response yet.
        package static let inFlight = "http_requests_in_flight"
    }

    /// - Parameters:
    ///   - router: its templates are the labels.
    ///   - factory: creates the handles.
    package init(router: Router, factory: any MetricsFactory) {
        // The last template is for unknown paths.
        templates = router.templates + ["none"]
        rows = (0..<templates.count * RequestMetrics.methods.count).map { _ in Row() }
        inFlight = Meter(label: Label.inFlight, dimensions: [], factory: factory)
        self.factory = factory
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        inFlight.increment()
        return nil
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        inFlight.decrement()
        // The refusal of the request was counted instead.
        if context.isRefused { return }
        let template = context.match.templateIndex ?? templates.count - 1
        let method =
            RequestMetrics.methods.firstIndex { $0 == request.method.rawValue }
            ?? RequestMetrics.methods.count - 1
        let row = template * RequestMetrics.methods.count + method
        let nanoseconds = context.elapsed.wholeNanoseconds
        if !rows[row].record(response.status.code, nanoseconds) {
            rows[row].add(response.status.code, handles(template, method, response.status.code), nanoseconds)
        }
    }

    private func handles(_ template: Int, _ method: Int, _ status: Int) -> Handles {
        let dimensions = [("route", templates[template]), ("method", RequestMetrics.methods[method])]
        return Handles(
            counter: Counter(
                label: Label.requests,
                dimensions: dimensions + [("status", String(status))],
                factory: factory
            ),
            timer: Timer(label: Label.duration, dimensions: dimensions, factory: factory)
        )
    }

    private static let methods = Router.knownMethods.map(\.rawValue) + ["other"]

    private struct Handles: Sendable {
        let counter: Counter
        let timer: Timer
    }

    /// The handles of a template and method, found by a scan over their few statuses, with a lock.
    private final class Row: Sendable {
        private let entries = Lock<[(status: Int, handles: Handles)]>([])

        /// Counts and times a response; false for a status without handles.
        ///
        /// Uses the handles under the lock, which saves retaining them. The backend must not block or call this type.
        func record(_ status: Int, _ nanoseconds: Int64) -> Bool {
            entries.withLock { entries in
                guard let index = entries.firstIndex(where: { $0.status == status }) else { return false }
                entries[index].handles.counter.increment()
                entries[index].handles.timer.recordNanoseconds(nanoseconds)
                return true
            }
        }

        /// Adds the handles of a status, unless another thread has added them, and counts a response.
        func add(_ status: Int, _ handles: Handles, _ nanoseconds: Int64) {
            entries.withLock { entries in
                if !entries.contains(where: { $0.status == status }) { entries.append((status, handles)) }
            }
            _ = record(status, nanoseconds)
        }
    }
}

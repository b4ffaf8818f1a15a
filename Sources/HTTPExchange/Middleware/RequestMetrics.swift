package import CoreMetrics
import HTTPTypes
import Primitives
import Synchronization

/// Counts and times exchanges by route template, method and status, and counts those in flight.
///
/// Dashboards and alerts depend on the names of the metrics.
///
/// A handle of swift-metrics costs an array of labels and a look-up in its backend, so each is created once. The table has
/// a row for every template and method, and a row has a counter for every status. The route table bounds their number:
/// unknown paths share a row, unknown methods a label.
package struct RequestMetrics: Middleware {
    private let templates: [String]
    private let rows: [Row]
    private let inFlight: any MeterHandler
    private let factory: any MetricsFactory

    /// Counts by the templates of `router`, with handles of `factory`.
    package init(router: Router, factory: any MetricsFactory) {
        // The last template is for unknown paths.
        templates = router.templates + ["none"]
        rows = (0..<templates.count * RequestMetrics.methods.count).map { _ in Row() }
        inFlight = factory.makeMeter(label: "http_requests_in_flight", dimensions: [])
        self.factory = factory
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        inFlight.increment(by: 1)
        return nil
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        inFlight.decrement(by: 1)
        // The refusal of the request was counted instead.
        if context.isRefused { return }
        let template = context.match.templateIndex ?? templates.count - 1
        let method = context.match.methodIndex
        let row = template * RequestMetrics.methods.count + method
        let (status, nanoseconds) = (response.status.code, context.elapsed.wholeNanoseconds)
        // The handles are used under the lock, which saves retaining them. The backend must not block or call this type.
        rows[row].handles.withLock { handles in
            let known = handles.firstIndex { $0.status == status }
            if known == nil { handles.append(makeHandles(template, method, status)) }
            let entries = handles.span
            entries[known ?? entries.count - 1].counter.increment(by: 1)
            entries[known ?? entries.count - 1].timer.recordNanoseconds(nanoseconds)
        }
    }

    private func makeHandles(_ template: Int, _ method: Int, _ status: Int) -> Handles {
        let dimensions = [("route", templates[template]), ("method", RequestMetrics.methods[method])]
        let labels = dimensions + [("status", String(status))]
        return Handles(
            status: status,
            counter: factory.makeCounter(label: "http_requests_total", dimensions: labels),
            timer: factory.makeTimer(label: "http_request_duration_seconds", dimensions: dimensions)
        )
    }

    private static let methods = Router.knownMethods.map(\.rawValue) + ["other"]

    private struct Handles: Sendable {
        let status: Int
        let counter: any CounterHandler
        let timer: any TimerHandler
    }

    /// The handles of a template and method, for their few statuses.
    private final class Row: Sendable {
        let handles = Lock<[Handles]>([])
    }
}

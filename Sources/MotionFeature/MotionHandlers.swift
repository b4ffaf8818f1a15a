package import HTTPExchange
import Motion
package import Primitives

/// The handlers of springs, projection and gestures, which are pure functions of their requests.
///
/// Answers that take microseconds are computed immediately. Longer ones are computed by one worker thread. A cache
/// keeps both under their target.
package struct MotionHandlers: Sendable {
    let answers: AnswerCache
    let worker: BoundedWorker<String, Response>

    /// Creates the handlers with a cache of at most `cacheBytes` and a worker with at most `queueLimit` pending
    /// answers.
    package init(cacheBytes: Int = 16 << 20, queueLimit: Int = 16) {
        answers = AnswerCache(limit: cacheBytes)
        worker = BoundedWorker(limit: queueLimit)
    }

    /// The contents of the cache and the load of the worker, for metrics.
    package var usage: (answers: AnswerCache.Usage, work: WorkerLoad) { (answers.usage, worker.load) }

    package var spring: Handler { atOnce(SpringAnswer.self) }
    package var curve: Handler { atOnce(CurveAnswer.self) }
    package var conventions: Handler { atOnce(ConventionsAnswer.self) }
    package var presets: Handler { later(PresetsAnswer.self) }
    package var compare: Handler { later(CompareAnswer.self) }
    package var retarget: Handler { later(RetargetAnswer.self) }
    package var plot: Handler { later(SpringPlot.self, type: "image/svg+xml") }
    /// The plot for places that show no SVG, such as previews of links.
    package var plotPNG: Handler { later(SpringPlot.self, variant: "png ", type: "image/png") { $0.png } }

    /// A CSS easing, as JSON or as a rule.
    package var linear: Handler {
        let json = later(LinearAnswer.self)
        let rule = later(LinearAnswer.self, variant: "css ", type: "text/css; charset=utf-8") { try $0.css() }
        return { request, context in
            let isRule = try request.preferred(of: [.json, .css]) == .css
            return try (isRule ? rule : json)(request, context).map { $0.varying(by: .accept) }
        }
    }
}

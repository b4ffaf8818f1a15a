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
    package var usage: (answers: AnswerCache.Usage, work: WorkerLoad) {
        (answers.usage, worker.load)
    }

    /// `GET /v1/springs`: the parameters of a spring on every platform.
    package func spring(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(SpringAnswer.self, request)
    }

    /// `GET /v1/springs/curve`: positions and velocities.
    package func curve(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(CurveAnswer.self, request)
    }

    /// `GET /v1/springs/linear`: a CSS easing, as JSON or as a rule.
    package func linear(_ request: Request, _ context: Context) throws -> Reply {
        let isRule = try request.preferred(of: [.json, .css]) == .css
        let reply =
            isRule
            ? try later(LinearAnswer.self, request, variant: "css ", type: "text/css; charset=utf-8") { try $0.css() }
            : try later(LinearAnswer.self, request)
        return reply.map { $0.varying(by: .accept) }
    }

    /// `GET /v1/springs/retarget`: an animation that is interrupted and continues to another target.
    package func retarget(_ request: Request, _ context: Context) throws -> Reply {
        try later(RetargetAnswer.self, request)
    }

    /// `GET /v1/springs/compare`: the largest distance between two springs.
    package func compare(_ request: Request, _ context: Context) throws -> Reply {
        try later(CompareAnswer.self, request)
    }

    /// `GET /v1/springs/plot.svg`: the plot of one or two springs.
    package func plot(_ request: Request, _ context: Context) throws -> Reply {
        try later(SpringPlot.self, request, type: "image/svg+xml")
    }

    /// `GET /v1/springs/plot.png`: the plot for places that show no SVG, such as previews of links.
    package func plotPNG(_ request: Request, _ context: Context) throws -> Reply {
        try later(SpringPlot.self, request, variant: "png ", type: "image/png") { $0.png }
    }

    /// `GET /v1/springs/presets`: the presets of all platforms, and for a given spring the nearest ones.
    package func presets(_ request: Request, _ context: Context) throws -> Reply {
        try later(PresetsAnswer.self, request)
    }

    /// `GET /v1/springs/conventions`: every convention with its parameters, units and ranges.
    package func conventions(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(ConventionsAnswer.self, request)
    }
}

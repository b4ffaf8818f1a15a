package import HTTPExchange
import Motion

/// The handlers of springs, projection and gestures, which are pure functions of their requests.
///
/// Answers that take microseconds are computed immediately. Longer ones are computed by one worker thread. A cache
/// keeps both under the canonical form of their query.
package struct MotionHandlers: Sendable {
    let answers: AnswerCache
    let worker: Worker

    /// Creates the handlers with a cache of at most `cacheBytes` and a worker with at most `queueLimit` pending
    /// answers.
    package init(cacheBytes: Int = 16 << 20, queueLimit: Int = 16) {
        answers = AnswerCache(limit: cacheBytes)
        worker = Worker(limit: queueLimit)
    }

    /// The contents of the cache and the load of the worker, for metrics.
    package var usage: (answers: AnswerCache.Usage, work: Worker.Load) {
        (answers.usage, worker.load)
    }

    /// `GET /v1/springs`: the parameters of a spring on every platform.
    package func spring(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(request, allowing: SpringQuery.plainNames) { query in
            let spring = try SpringQuery(query)
            return ("springs?" + spring.canonical, { SpringAnswer(query: spring).bytes })
        }
    }

    /// `GET /v1/springs/curve`: positions and velocities.
    package func curve(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(request, allowing: CurveAnswer.names) { query in
            let answer = try CurveAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/linear`: a CSS easing, as JSON or as a rule.
    package func linear(_ request: Request, _ context: Context) throws -> Reply {
        let isRule = try request.preferred(of: [.json, .css]) == .css
        let type = isRule ? "text/css; charset=utf-8" : "application/json"
        let reply = try later(request, allowing: LinearAnswer.names, variant: isRule ? "css " : "", type: type) {
            query in
            let answer = try LinearAnswer(query)
            return (answer.canonical, { isRule ? try answer.css() : try answer.json() })
        }
        return reply.map { $0.varying(by: .accept) }
    }

    /// `GET /v1/springs/retarget`: an animation that is interrupted and continues to another target.
    package func retarget(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: RetargetAnswer.names) { query in
            let answer = try RetargetAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/compare`: the largest distance between two springs.
    package func compare(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: CompareAnswer.names) { query in
            let answer = try CompareAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/plot.svg`: the plot of one or two springs.
    package func plot(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: PlotAnswer.names, type: "image/svg+xml") { query in
            let answer = try PlotAnswer(query)
            return (answer.canonical, { Array(answer.plot.svg.utf8) })
        }
    }

    /// `GET /v1/springs/plot.png`: the plot for places that show no SVG, such as previews of links.
    package func plotPNG(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: PlotAnswer.names, type: "image/png") { query in
            let answer = try PlotAnswer(query)
            return ("png " + answer.canonical, { answer.plot.png })
        }
    }

    /// `GET /v1/springs/presets`: the presets of all platforms, and for a given spring the nearest ones.
    package func presets(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: SpringQuery.plainNames) { query in
            let answer = try PresetsAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/conventions`: every convention with its parameters, units and ranges.
    package func conventions(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(request, allowing: []) { _ in ("conventions", { ConventionsAnswer().bytes }) }
    }

    /// `GET /v1/projection`: the resting position of a gesture or of a platform's fling.
    package func projection(_ request: Request, _ context: Context) throws -> Reply {
        .now(.computed(try ProjectionAnswer(request.target).bytes))
    }

    /// `GET /v1/rubberband`: resistance beyond a limit.
    package func rubberband(_ request: Request, _ context: Context) throws -> Reply {
        .now(.computed(try RubberbandAnswer(request.target).bytes))
    }

    /// `GET /v1/relative-velocity`: a velocity in travels per second.
    package func relativeVelocity(_ request: Request, _ context: Context) throws -> Reply {
        .now(.computed(try RelativeVelocityAnswer(request.target).bytes))
    }
}

package import HTTPExchange
import Motion

/// Springs, projection and gestures: pure functions of their requests.
///
/// What takes microseconds is answered at once; what takes longer is worked off by one thread; both are kept by what
/// the query means.
package struct MotionHandlers: Sendable {
    let answers: AnswerCache
    let worker: Worker

    /// Handlers whose kept answers take at most `cacheBytes` together, and whose worker takes on at most `queueLimit`
    /// heavy answers at a time.
    package init(cacheBytes: Int = 16 << 20, queueLimit: Int = 16) {
        answers = AnswerCache(limit: cacheBytes)
        worker = Worker(limit: queueLimit)
    }

    /// What is kept and what is under way, for the metrics.
    package var usage: (answers: AnswerCache.Usage, work: Worker.Load) {
        (answers.usage, worker.load)
    }

    /// `GET /v1/springs`: one spring in the words of every platform.
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

    /// `GET /v1/springs/retarget`: an animation interrupted and sent elsewhere.
    package func retarget(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: RetargetAnswer.names) { query in
            let answer = try RetargetAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/compare`: how far two springs are apart.
    package func compare(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: CompareAnswer.names) { query in
            let answer = try CompareAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/plot.svg`: a picture.
    package func plot(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: PlotAnswer.names, type: "image/svg+xml") { query in
            let answer = try PlotAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/presets`: named springs, and with a spring the nearest of them.
    package func presets(_ request: Request, _ context: Context) throws -> Reply {
        try later(request, allowing: SpringQuery.plainNames) { query in
            let answer = try PresetsAnswer(query)
            return (answer.canonical, { answer.bytes })
        }
    }

    /// `GET /v1/springs/conventions`: what can be said, in which words and ranges.
    package func conventions(_ request: Request, _ context: Context) throws -> Reply {
        try atOnce(request, allowing: []) { _ in ("conventions", { ConventionsAnswer().bytes }) }
    }

    /// `GET /v1/projection`: where a gesture, or a platform's fling, comes to rest.
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

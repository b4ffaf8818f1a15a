import JSON
import Motion

/// `POST /v1/gestures/drawer`: told apart by their members, the drag (`translationY`) and the release (`velocityY`).
enum DrawerExchange {
    /// Where the article and its repository differ: the cap on the relative velocity.
    private enum Mode: String, CaseIterable {
        case article, repo

        var cap: Double? { self == .repo ? MomentumDrawer.repositoryCap : nil }
    }

    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        if content.optional("translationY") != nil {
            try drag(content, &json)
        } else {
            try release(content, &json)
        }
    }

    private static func drag(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("translationY", "closedTranslationY", "progress", "isOpen", "isReversed")
        let fraction = try drawer(content).fraction(
            translationY: try content.required("translationY").double(in: gestureRange),
            progress: try content.optional("progress")?.double(in: gestureRange) ?? 0
        )
        json.object { $0.finite("fraction", fraction) }
    }

    private static func release(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only(
            "velocityY",
            "fractionComplete",
            "closedTranslationY",
            "isOpen",
            "isReversed",
            "cap",
            "mode",
            "runningDuration"
        )
        let mode = try content.optional("mode")?.choice(of: Mode.self) ?? .article
        let cap = try content.optional("cap").map { try $0.unlessNull?.double(in: 0...1e9) } ?? mode.cap
        let release = try drawer(content).release(
            velocityY: try content.required("velocityY").double(in: gestureRange),
            fractionComplete: try content.required("fractionComplete").double(in: gestureRange),
            cap: cap
        )
        let running = try content.optional("runningDuration")?.double(in: 0.001...1e6)
        json.object { json in
            switch release {
            case .proceed(let isReversed):
                json.member("action", "continue")
                json.member("reversed", isReversed)
                json.member("relativeVelocity", Double?.none)
            case .spring(let isReversed, let relativeVelocity):
                json.member("action", "spring")
                json.member("reversed", isReversed)
                json.finite("relativeVelocity", relativeVelocity)
                if let running {
                    json.finite("durationFactor", MomentumDrawer.flick.spring.durationFactor(runningDuration: running))
                }
                json.gestureSpring(MomentumDrawer.flick, initialVelocity: relativeVelocity)
            }
        }
    }

    private static func drawer(_ content: JSONObject) throws -> MomentumDrawer {
        try MomentumDrawer(
            closedTranslationY: try content.required("closedTranslationY").double(in: gestureRange),
            isOpen: try content.required("isOpen").bool(),
            isReversed: try content.optional("isReversed")?.bool() ?? false
        )
    }
}

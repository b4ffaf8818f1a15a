import JSON
import Motion

/// `POST /v1/gestures/pause`: receives the samples of one gesture, and answers with those at which the finger pauses.
enum PauseAnswer {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("mode", "samples")
        let mode = try content.optional("mode")?.choice(of: PauseDetector.Mode.self) ?? .article
        var detector = PauseDetector(mode: mode)
        let fired = try content.events("samples").map { value in
            let sample = try value.object()
            try sample.only("velocity", "offset")
            return detector.on(
                PauseDetector.Sample(
                    velocity: try sample.required("velocity").double(in: gestureRange),
                    offset: try sample.required("offset").double(in: gestureRange)
                )
            )
        }
        json.object { json in
            json.member("mode", mode.rawValue)
            json.array("fired") { json in
                for isPause in fired { json.value(isPause) }
            }
        }
    }
}

/// `POST /v1/gestures/force-button`: receives touch events, and answers with the button after each of them and the
/// haptics.
enum ForceButtonAnswer {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("on", "events")
        var button = ForceButton(isOn: try content.optional("on")?.bool() ?? false)
        var haptics: [ForceButton.Haptic] = []
        let steps = try content.events("events").map { value in
            let haptic = button.on(try event(value))
            if let haptic { haptics.append(haptic) }
            return (button: button, haptic: haptic)
        }
        json.object { json in
            json.array("steps") { json in
                for step in steps {
                    json.object { json in
                        json.member("state", step.button.state.rawValue)
                        json.member("on", step.button.isOn)
                        json.member("scale", step.button.scale)
                        json.member("whiteness", step.button.whiteness)
                        json.member("exited", step.button.hasExited)
                        json.member("haptic", step.haptic?.rawValue)
                    }
                }
            }
            json.array("haptics") { json in
                for haptic in haptics { json.value(haptic.rawValue) }
            }
            if button.isSpringingBack { json.gestureSpring(ForceButton.spring, initialVelocity: 0) }
        }
    }

    private static func event(_ value: JSONValue) throws(JSONError) -> ForceButton.Event {
        let event = try value.object()
        try event.only("type", "force", "distance")
        return ForceButton.Event(
            phase: try event.required("type").choice(),
            force: try event.required("force").double(in: 0...1),
            distance: try event.required("distance").double(in: 0...1e9)
        )
    }
}

/// `POST /v1/gestures/calculator-button`: receives control events, and answers with the state and the action after each
/// of them.
enum CalculatorButtonAnswer {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("events")
        var button = CalculatorButton()
        let steps = try content.events("events").map { value in
            let action = button.on(try value.choice())
            return (state: button.state, action: action)
        }
        json.object { json in
            json.array("states") { json in
                for step in steps { json.value(step.state.rawValue) }
            }
            json.array("actions") { json in
                for step in steps { json.value(step.action.rawValue) }
            }
            json.member("taps", button.taps)
            json.object("fade") { json in
                json.member("duration", CalculatorButton.fadeDuration)
                json.member("curve", "easeOut")
            }
        }
    }
}

/// `POST /v1/gestures/drawer`: a drag if `translationY` is given, otherwise the release of the drawer.
enum DrawerAnswer {
    /// The variants of the article and of its repository, which differ in the cap on the relative velocity.
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
                    json.finite("durationFactor", MomentumDrawer.flick.durationFactor(runningDuration: running))
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

/// `POST /v1/gestures/pip`: receives a fling, and answers with the corner where it ends and the spring to it.
enum PictureInPictureAnswer {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("center", "velocity", "corners", "decelerationRate")
        let corners = try content.required("corners")
        let list = try corners.array()
        guard list.count <= 64 else { throw corners.error("must have at most 64 elements, had \(list.count)") }
        let picture = PictureInPicture(
            center: try content.required("center").vector(),
            velocity: try content.required("velocity").vector(),
            corners: try list.map { try $0.vector() },
            deceleration: try content.deceleration(default: .normal)
        )
        for relative in [picture.relativeVelocity.x, picture.relativeVelocity.y] {
            _ = try RelativeVelocity.checked(relative, "corners")
        }
        json.object { json in
            json.vector("projected", picture.projected)
            json.vector("corner", picture.corner)
            json.vector("relativeVelocity", picture.relativeVelocity)
            json.gestureSpring(PictureInPicture.spring, initialVelocity: picture.relativeVelocity)
        }
    }
}

/// `POST /v1/gestures/rotation`: receives a rotation, and answers with the quarter turn where it ends and the spring to
/// it.
enum RotationAnswer {
    static func answer(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only("rotation", "velocity", "decelerationRate", "clamp", "originalRotation")
        let snap = RotationSnap(
            rotation: try content.required("rotation").double(in: gestureRange),
            velocity: try content.required("velocity").double(in: gestureRange),
            deceleration: try content.deceleration(default: .fast),
            isClamped: try content.optional("clamp")?.bool() ?? true
        )
        _ = try RelativeVelocity.checked(snap.relativeVelocity, "rotation")
        // The rotation of the view before the gesture, to which the quarter turn is added.
        let original = try content.optional("originalRotation")?.double(in: gestureRange) ?? 0
        json.object { json in
            json.member("projected", snap.projected)
            json.member("angle", snap.angle)
            json.member("finalRotation", original + snap.angle)
            json.member("relativeVelocity", snap.relativeVelocity)
            json.gestureSpring(RotationSnap.spring, initialVelocity: .init(x: snap.relativeVelocity, y: 0))
        }
    }
}

package import HTTPExchange
import JSON
import Motion

extension MotionHandlers {
    /// `POST /v1/gestures/pause`: from the samples of one gesture to those at which the finger pauses.
    package func pause(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
            try content.only("mode", "samples")
            let mode = try content.optional("mode")?.choice(of: GestureVariant.self) ?? .article
            var detector = PauseDetector(mode: mode)
            let fired = try content.events("samples").map { value in
                let sample = try value.object()
                try sample.only("velocity", "offset")
                return detector.on(velocity: try sample.number("velocity"), offset: try sample.number("offset"))
            }
            json.member("mode", mode.rawValue)
            json.array("fired") { json in
                for isPause in fired { json.value(isPause) }
            }
        }
    }

    /// `POST /v1/gestures/force-button`: from touch events to the button after each of them and the haptics.
    package func forceButton(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
            try content.only("on", "events")
            var button = ForceButton(isOn: try content.optional("on")?.bool() ?? false)
            let steps = try content.events("events").map { value in
                let event = try value.object()
                try event.only("type", "force", "distance")
                let haptic = button.on(
                    try event.required("type").choice(),
                    force: try event.required("force").double(in: 0...1),
                    distance: try event.required("distance").double(in: 0...1e9)
                )
                return (button: button, haptic: haptic)
            }
            json.objects("steps", steps) { json, step in
                json.member("state", step.button.state.rawValue)
                json.member("on", step.button.isOn)
                json.member("scale", step.button.scale)
                json.member("whiteness", step.button.whiteness)
                json.member("exited", step.button.hasExited)
                json.member("haptic", step.haptic?.rawValue)
            }
            json.member("haptics", steps.compactMap { $0.haptic?.rawValue })
            if button.isSpringingBack { json.gestureSpring(ForceButton.spring) { $0.member("initialVelocity", 0.0) } }
        }
    }

    /// `POST /v1/gestures/calculator-button`: from control events to the state and the action after each of them.
    package func calculatorButton(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
            try content.only("events")
            var button = CalculatorButton()
            let steps = try content.events("events").map { value in
                let action = button.on(try value.choice())
                return (state: button.state, action: action)
            }
            json.member("states", steps.map(\.state.rawValue))
            json.member("actions", steps.map(\.action.rawValue))
            json.member("taps", button.taps)
            json.object("fade") { json in
                json.member("duration", CalculatorButton.fadeDuration)
                json.member("curve", "easeOut")
            }
        }
    }

    /// `POST /v1/gestures/drawer`: a drag if `translationY` is given, otherwise the release of the drawer.
    package func drawer(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
            guard content.optional("translationY") != nil else { return try release(content, &json) }
            try content.only("translationY", "closedTranslationY", "progress", "isOpen", "isReversed")
            let fraction = try content.drawer().fraction(
                translationY: try content.number("translationY"),
                progress: try content.optional("progress")?.double(in: gestureRange) ?? 0
            )
            json.finite("fraction", fraction)
        }
    }

    private func release(_ content: JSONObject, _ json: inout JSONWriter) throws {
        try content.only([
            "velocityY", "fractionComplete", "closedTranslationY", "isOpen", "isReversed", "cap", "mode",
            "runningDuration",
        ])
        let mode = try content.optional("mode")?.choice(of: GestureVariant.self) ?? .article
        let standard = mode == .repo ? MomentumDrawer.repositoryCap : nil
        let cap = try content.optional("cap").map { try $0.unlessNull?.double(in: 0...1e9) } ?? standard
        let release = try content.drawer().release(
            velocityY: try content.number("velocityY"),
            fractionComplete: try content.number("fractionComplete"),
            cap: cap
        )
        let running = try content.optional("runningDuration")?.double(in: 0.001...1e6)
        json.member("action", release.relativeVelocity == nil ? "continue" : "spring")
        json.member("reversed", release.isReversed)
        json.finite("relativeVelocity", release.relativeVelocity)
        guard let velocity = release.relativeVelocity else { return }
        if let running { json.finite("durationFactor", MomentumDrawer.flick.durationFactor(runningDuration: running)) }
        json.gestureSpring(MomentumDrawer.flick) { $0.finite("initialVelocity", velocity) }
    }

    /// `POST /v1/gestures/pip`: from a fling to the corner where it ends and the spring to it.
    package func pictureInPicture(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
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
            let velocity = [picture.relativeVelocity.x, picture.relativeVelocity.y]
            for relative in velocity { _ = try RelativeVelocity.checked(relative, "corners") }
            json.member("projected", [picture.projected.x, picture.projected.y])
            json.member("corner", [picture.corner.x, picture.corner.y])
            json.member("relativeVelocity", velocity)
            json.gestureSpring(PictureInPicture.spring) { $0.member("initialVelocity", velocity) }
        }
    }

    /// `POST /v1/gestures/rotation`: from a rotation to the quarter turn where it ends and the spring to it.
    package func rotation(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request) { content, json in
            try content.only("rotation", "velocity", "decelerationRate", "clamp", "originalRotation")
            let snap = RotationSnap(
                rotation: try content.number("rotation"),
                velocity: try content.number("velocity"),
                deceleration: try content.deceleration(default: .fast),
                isClamped: try content.optional("clamp")?.bool() ?? true
            )
            _ = try RelativeVelocity.checked(snap.relativeVelocity, "rotation")
            let original = try content.optional("originalRotation")?.double(in: gestureRange) ?? 0
            json.member("projected", snap.projected)
            json.member("angle", snap.angle)
            json.member("finalRotation", original + snap.angle)
            json.member("relativeVelocity", snap.relativeVelocity)
            json.gestureSpring(RotationSnap.spring) { $0.member("initialVelocity", [snap.relativeVelocity, 0]) }
        }
    }

    /// Answers with the members that `answer` writes for the content of a request.
    private func gesture(_ request: Request, _ answer: (JSONObject, inout JSONWriter) throws -> Void) throws -> Reply {
        let content = try JSON.parse(request.content).object()
        do {
            return .now(.json(try JSONWriter.object { try answer(content, &$0) }))
        } catch let error as MotionError {
            throw Problem(inContent: error)
        }
    }
}

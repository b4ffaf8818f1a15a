import JSON
import Motion

/// `POST /v1/gestures/force-button`: the events of touches in, the button after each of them and its haptics out.
enum ForceButtonExchange {
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

import JSON
import Motion

/// `POST /v1/gestures/calculator-button`: control events in, what is seen and what is to be done after each out.
enum CalculatorButtonExchange {
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

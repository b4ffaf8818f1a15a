import JSON
import Motion

/// `POST /v1/gestures/pause`: the samples of one gesture in, and at which of them the finger paused out.
enum PauseExchange {
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

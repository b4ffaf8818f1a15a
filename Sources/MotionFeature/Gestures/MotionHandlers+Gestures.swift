package import HTTPExchange
import JSON
import Motion

extension MotionHandlers {
    /// `POST /v1/gestures/pause`: the samples at which the finger pauses.
    package func pause(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, PauseAnswer.answer)
    }

    /// `POST /v1/gestures/force-button`: the flashlight button.
    package func forceButton(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, ForceButtonAnswer.answer)
    }

    /// `POST /v1/gestures/calculator-button`: the highlight of a button and its fade.
    package func calculatorButton(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, CalculatorButtonAnswer.answer)
    }

    /// `POST /v1/gestures/drawer`: the drag and the release of a drawer.
    package func drawer(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, DrawerAnswer.answer)
    }

    /// `POST /v1/gestures/pip`: the corner where a fling ends.
    package func pictureInPicture(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, PictureInPictureAnswer.answer)
    }

    /// `POST /v1/gestures/rotation`: the quarter turn where a rotation ends.
    package func rotation(_ request: Request, _ context: Context) throws -> Reply {
        try gesture(request, RotationAnswer.answer)
    }

    private func gesture(_ request: Request, _ answer: (JSONObject, inout JSONWriter) throws -> Void) throws -> Reply {
        let content = try JSON.parse(request.content).object()
        var json = JSONWriter(capacity: 512)
        do {
            try answer(content, &json)
        } catch let error as MotionError {
            throw Problem(error, inContentAt: { "/\($0)" })
        }
        return .now(.json(json.bytes))
    }
}

/// The range of the numbers of a gesture: points, points per second, radians.
let gestureRange = -1e9...1e9

/// The largest number of events or samples in a request.
let gestureLimit = 2000

extension JSONObject {
    /// Returns the array `name`, which must have 1 to `gestureLimit` elements.
    func events(_ name: StaticString) throws(JSONError) -> JSONArray {
        let value = try required(name)
        let array = try value.array()
        guard 1...gestureLimit ~= array.count else {
            throw value.error("must have 1 to \(gestureLimit) elements, had \(array.count)")
        }
        return array
    }

    /// Returns the deceleration rate: `normal`, `fast` or a number; `fallback` by default.
    func deceleration(default fallback: Deceleration) throws -> Deceleration {
        guard let value = optional("decelerationRate") else { return fallback }
        if value.isText("normal") { return .normal }
        if value.isText("fast") { return .fast }
        return try Deceleration(rate: value.double())
    }
}

extension JSONValue {
    /// Returns a point or a velocity from a pair of numbers.
    func vector() throws(JSONError) -> PictureInPicture.Vector {
        let pair = try array()
        guard pair.count == 2 else { throw error("must be two numbers, x and y") }
        return PictureInPicture.Vector(x: try pair[0].double(in: gestureRange), y: try pair[1].double(in: gestureRange))
    }
}

extension JSONWriter {
    /// Writes the spring that answers a gesture, with a relative initial velocity.
    mutating func gestureSpring(_ spring: Spring, initialVelocity: Double) {
        gestureSpring(spring) { $0.finite("initialVelocity", initialVelocity) }
    }

    /// Writes the spring that answers a gesture, with a relative initial velocity for each axis.
    mutating func gestureSpring(_ spring: Spring, initialVelocity: PictureInPicture.Vector) {
        gestureSpring(spring) { $0.vector("initialVelocity", initialVelocity) }
    }

    private mutating func gestureSpring(_ spring: Spring, velocity: (inout JSONWriter) -> Void) {
        object("spring") { json in
            json.member("dampingRatio", spring.dampingRatio)
            json.member("response", spring.response)
            json.member("mass", spring.mass)
            json.member("stiffness", spring.stiffness)
            json.member("damping", spring.damping)
            velocity(&json)
        }
    }

    /// Writes a pair of numbers.
    mutating func vector(_ name: String, _ vector: PictureInPicture.Vector) {
        array(name) { json in
            json.value(vector.x)
            json.value(vector.y)
        }
    }
}

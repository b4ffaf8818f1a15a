package import HTTPExchange
import JSON
import Motion

// Calculators with answers in microseconds, so they are not cached.

extension MotionHandlers {
    /// `GET /v1/relative-velocity`: the velocity of a gesture in travels per second.
    package func relativeVelocity(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["velocity", "current", "target", "cap"])
        let relative = RelativeVelocity.of(
            velocity: try query.requiredPoints("velocity"),
            from: try query.requiredPoints("current"),
            to: try query.requiredPoints("target"),
            cap: try query.double("cap", in: 0...1e9)
        )
        return try answer { $0.member("relativeVelocity", try RelativeVelocity.checked(relative, "target")) }
    }

    /// `GET /v1/rubberband`: the offset of the content for an offset of the finger, and the inverse.
    package func rubberband(_ request: Request, _ context: Context) throws -> Reply {
        let all = RubberbandModel.allCases.flatMap(\.names) + ["model"]
        let model = try Query(request.target, allowing: all).choice("model", of: RubberbandModel.self) ?? .power
        let query = try Query(request.target, allowing: model.names + ["model"])
        let band = try model.band(query)
        return try answer { json in
            json.member("model", model.rawValue)
            if model == .appleInverse {
                let value = try query.requiredPoints("value")
                json.member("value", value)
                json.finite("offset", band.offset(value: value))
            } else {
                let offset = try query.requiredPoints("offset")
                let value = band.value(offset: offset)
                json.member("offset", offset)
                json.finite("value", value)
                json.finite("inverse", band.offset(value: value))
            }
        }
    }

    /// `GET /v1/projection`: the resting position of a gesture with UIKit's deceleration, or of a platform's fling.
    package func projection(_ request: Request, _ context: Context) throws -> Reply {
        let models = Fling.models
        let name = try Query(request.target, allowing: models.flatMap(\.names) + ["model"]).string("model") ?? "uikit"
        guard let model = models.first(where: { $0.name == name }) else {
            let names = models.map { "`\($0.name)`" }.joined(separator: ", ")
            throw Problem.invalidParameter("model", "must be one of \(names)")
        }
        let query = try Query(request.target, allowing: model.names + ["model"])
        return try answer { json in
            if name != "uikit" { json.member("model", name) }
            try model.write(query, &json)
        }
    }

    private func answer(_ members: (inout JSONWriter) throws -> Void) throws -> Reply {
        .now(.computed(try JSONWriter.object(members)))
    }
}

private enum RubberbandModel: String, CaseIterable {
    case power, apple, appleInverse, accelerationDrag

    var names: [String] {
        switch self {
        case .power: ["offset", "exponent"]
        case .apple: ["offset", "dimension", "constant"]
        case .appleInverse: ["value", "dimension", "constant"]
        case .accelerationDrag: ["offset", "verticalOffset"]
        }
    }

    func band(_ query: Query) throws -> Rubberband {
        switch self {
        case .power:
            return .power(exponent: try query.double("exponent", in: 0.01...1) ?? Rubberband.articleExponent)
        case .apple, .appleInverse:
            return .apple(
                dimension: try query.requiredDouble("dimension", in: 1e-3...1e9),
                constant: try query.double("constant", in: 1e-3...1) ?? Rubberband.appleConstant
            )
        case .accelerationDrag:
            return .accelerationDrag(verticalOffset: try query.double("verticalOffset", in: 0...1e9) ?? 180)
        }
    }
}

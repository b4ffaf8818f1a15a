import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/rubberband`: the offset of the content for an offset of the finger, and the inverse.
struct RubberbandAnswer {
    let bytes: [UInt8]

    private enum Model: String, CaseIterable {
        case power, apple, appleInverse, accelerationDrag

        var names: [String] {
            switch self {
            case .power: ["offset", "exponent"]
            case .apple: ["offset", "dimension", "constant"]
            case .appleInverse: ["value", "dimension", "constant"]
            case .accelerationDrag: ["offset", "verticalOffset"]
            }
        }
    }

    /// - Throws: `Problem` for a parameter that is missing, malformed, unknown or out of range.
    init(_ target: Target) throws {
        let all = Model.allCases.flatMap(\.names) + ["model"]
        let model = try Query(target, allowing: all).choice("model", of: Model.self) ?? .power
        let query = try Query(target, allowing: model.names + ["model"])
        let band = try Self.band(model, query)
        var json = JSONWriter()
        if model == .appleInverse {
            let value = try query.requiredDouble("value", in: -1e9...1e9)
            json.object { json in
                json.member("model", model.rawValue)
                json.member("value", value)
                json.finite("offset", band.offset(value: value))
            }
        } else {
            let offset = try query.requiredDouble("offset", in: -1e9...1e9)
            let value = band.value(offset: offset)
            json.object { json in
                json.member("model", model.rawValue)
                json.member("offset", offset)
                json.finite("value", value)
                json.finite("inverse", band.offset(value: value))
            }
        }
        bytes = json.bytes
    }

    private static func band(_ model: Model, _ query: Query) throws -> Rubberband {
        switch model {
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

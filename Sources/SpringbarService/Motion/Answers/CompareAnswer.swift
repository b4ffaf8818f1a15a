import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/compare`: how far two springs are apart, and when.
struct CompareAnswer {
    let canonical: String
    private let one: SpringQuery
    private let other: SpringQuery

    /// The names of both springs.
    static let names = SpringQuery.names(prefix: "a.") + SpringQuery.names(prefix: "b.")

    /// - Throws: `Problem` for what is missing, malformed, contradictory or out of range, in both springs.
    init(_ query: Query) throws {
        let springs = try SpringQuery.several(query, prefixes: ["a.", "b."])
        (one, other) = (springs[0], springs[1])
        canonical = "compare?\(one.canonical)|\(other.canonical)"
    }

    var bytes: [UInt8] {
        let distance = one.curve.distance(to: other.curve)
        var json = JSONWriter(capacity: 2048)
        json.object { json in
            json.member("maxDistance", distance.maximum)
            json.member("time", distance.time)
            for (name, query) in [("a", one), ("b", other)] {
                json.object(name) { json in
                    json.spring("spring", query.curve.spring)
                    json.member("convention", query.convention.id)
                    json.member("initialVelocity", query.curve.initialVelocity)
                    json.settling(query.curve, epsilon: query.epsilon)
                    json.finite("overshoot", query.curve.overshoot)
                }
            }
        }
        return json.bytes
    }
}

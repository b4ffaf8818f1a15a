import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs`: a spring, its settling times, and its parameters on every platform.
struct SpringAnswer: ObjectAnswer {
    static let names = SpringQuery.plainNames

    private let query: SpringQuery

    init(_ query: Query) throws {
        self.query = try SpringQuery(query)
    }

    func write(_ json: inout JSONWriter) {
        let curve = query.curve
        var distances = CurveDistances(from: curve)
        json.spring("spring", curve.spring)
        json.member("convention", query.convention.id)
        json.member("initialVelocity", curve.initialVelocity)
        json.settling(curve, epsilon: query.epsilon)
        json.finite("overshoot", curve.overshoot)
        json.object("conventions") { json in
            for convention in Conventions.all {
                let writing = convention.write(curve)
                let distance = distances.distance(to: writing.drawn)
                json.object(convention.id) { json in
                    json.parameters("parameters", writing.parameters)
                    json.member("snippet", writing.snippet)
                    json.member("exact", writing.isExact)
                    json.finite("maxDistance", distance)
                    json.warnings(writing.warnings, distance: distance)
                }
            }
        }
        // The changes of the request's own convention, both in reading the parameters and in drawing the spring.
        let drawn = query.convention.write(curve)
        json.warnings(
            query.reading.warnings + drawn.warnings.filter { !query.reading.warnings.contains($0) },
            distance: distances.distance(to: drawn.drawn)
        )
    }
}

/// Distances from one curve to several, each computed once.
///
/// Most platforms that draw another curve draw the same one.
struct CurveDistances {
    private let curve: SpringCurve
    private var known: [SpringCurve: Double] = [:]

    init(from curve: SpringCurve) {
        self.curve = curve
    }

    /// Returns the largest distance to `other` as a share of the travel; nil without another curve.
    mutating func distance(to other: SpringCurve?) -> Double? {
        guard let other else { return nil }
        if other == curve { return 0 }
        if let distance = known[other] { return distance }
        let distance = curve.distance(to: other).maximum
        known[other] = distance
        return distance
    }
}

/// The answer of `GET /v1/springs/compare`: the largest distance between two springs, and its time.
struct CompareAnswer: ObjectAnswer {
    private let one: SpringQuery
    private let other: SpringQuery

    /// The parameters of both springs.
    static let names = SpringQuery.names(prefix: "a.") + SpringQuery.names(prefix: "b.")

    init(_ query: Query) throws {
        let springs = try SpringQuery.several(query, prefixes: ["a.", "b."])
        (one, other) = (springs[0], springs[1])
    }

    func write(_ json: inout JSONWriter) {
        let distance = one.curve.distance(to: other.curve)
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
}

import JSON
import Motion

/// The answer of `GET /v1/springs`: a spring, when it is at rest, and how every platform says it.
struct SpringAnswer {
    let query: SpringQuery

    var bytes: [UInt8] {
        let curve = query.curve
        var distances = CurveDistances(from: curve)
        var json = JSONWriter(capacity: 8192)
        json.object { json in
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
            // What the request's own convention did on the way in, and will do on its platform.
            let drawn = query.convention.write(curve)
            json.warnings(
                query.reading.warnings + drawn.warnings.filter { !query.reading.warnings.contains($0) },
                distance: distances.distance(to: drawn.drawn)
            )
        }
        return json.bytes
    }
}

/// Distances from one curve to several, each computed once: most platforms that miss a curve draw the same other one.
struct CurveDistances {
    private let curve: SpringCurve
    private var known: [SpringCurve: Double] = [:]

    init(from curve: SpringCurve) {
        self.curve = curve
    }

    /// The largest distance to `other`, as a share of the travel; nil without another curve.
    mutating func distance(to other: SpringCurve?) -> Double? {
        guard let other else { return nil }
        if other == curve { return 0 }
        if let distance = known[other] { return distance }
        let distance = curve.distance(to: other).maximum
        known[other] = distance
        return distance
    }
}

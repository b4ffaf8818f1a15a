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
        // Most platforms that draw another curve draw the same one.
        var distances = [curve: 0.0]
        func distance(to other: SpringCurve?) -> Double? {
            guard let other else { return nil }
            let distance = distances[other] ?? curve.distance(to: other).maximum
            distances[other] = distance
            return distance
        }
        json.query(query)
        json.object("conventions") { json in
            for convention in Conventions.all {
                let writing = convention.write(curve)
                let distance = distance(to: writing.drawn)
                json.object(convention.id) { json in
                    json.object("parameters") { json in
                        for (parameter, (name, value)) in zip(convention.parameters, writing.parameters) {
                            if parameter.isFlag { json.member(name, value == 1) } else { json.finite(name, value) }
                        }
                    }
                    json.member("snippet", writing.snippet)
                    json.member("exact", writing.isExact)
                    json.finite("maxDistance", distance)
                    json.warnings(writing.warnings, distance: distance)
                }
            }
        }
        // The changes of the request's own convention, both in reading the parameters and in drawing the spring.
        let drawn = query.convention.write(curve)
        let reading = query.reading.warnings
        let warnings = reading + drawn.warnings.filter { !reading.contains($0) }
        json.warnings(warnings, distance: distance(to: drawn.drawn))
    }
}

/// The answer of `GET /v1/springs/compare`: the largest distance between two springs, and its time.
struct CompareAnswer: ObjectAnswer {
    static let names = SpringQuery.names(prefix: "a.") + SpringQuery.names(prefix: "b.")

    private let springs: [SpringQuery]

    init(_ query: Query) throws {
        springs = try SpringQuery.several(query, prefixes: ["a.", "b."])
    }

    func write(_ json: inout JSONWriter) {
        let distance = springs[0].curve.distance(to: springs[1].curve)
        json.member("maxDistance", distance.maximum)
        json.member("time", distance.time)
        for (name, query) in zip(["a", "b"], springs) { json.object(name) { $0.query(query) } }
    }
}

extension JSONWriter {
    /// Writes the spring of a query, with its convention and its settling times.
    fileprivate mutating func query(_ query: SpringQuery) {
        spring("spring", query.curve.spring)
        member("convention", query.convention.id)
        member("initialVelocity", query.curve.initialVelocity)
        settling(query.curve, epsilon: query.epsilon)
        finite("overshoot", query.curve.overshoot)
    }
}

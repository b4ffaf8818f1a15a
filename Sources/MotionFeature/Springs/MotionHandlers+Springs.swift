package import HTTPExchange
import JSON
import Motion
import SpringConventions

extension MotionHandlers {
    /// `GET /v1/springs`: a spring, its settling times, and its parameters on every platform.
    package var spring: Handler {
        let names = SpringQuery.plainNames + ["fps", "travel", "property"]
        // The search for distances follows a lightly damped spring to its rest: up to 28 ms, below this ratio above 3 ms.
        return atOnce(names, unless: { try SpringQuery($0).curve.spring.dampingRatio < 0.01 }) { parameters, json in
            let query = try SpringQuery(parameters)
            let curve = query.curve
            let framesPerSecond = try parameters.double("fps", in: 1...1000) ?? 60
            func write(_ convention: Convention) -> ConventionWriting {
                let clamps = query.reading.clampsOvershoot
                return convention.write(curve, framesPerSecond: framesPerSecond, clampsOvershoot: clamps)
            }
            // Most platforms that draw another curve draw the same one, which is often that of their formula.
            var distances: [DrawnCurve: SpringCurve.Distance] = [:]
            func distance(to other: DrawnCurve?) -> SpringCurve.Distance? {
                guard let other else { return nil }
                let distance = distances[other] ?? other.distance(from: curve)
                distances[other] = distance
                return distance
            }
            json.query(query, travel: try parameters.travel(), fps: framesPerSecond)
            json.object("conventions") { json in
                for convention in Conventions.all {
                    let writing = write(convention)
                    json.key(convention.id)
                    json.object { json in
                        json.parameters(writing.parameters)
                        let drawn = distance(to: writing.drawn)
                        json.member("snippet", writing.snippet)
                        json.member("exact", writing.isExact)
                        json.finite("maxDistance", drawn?.maximum)
                        if let reason = writing.drawingChanges.first {
                            json.object("drawn") { json in
                                json.member("reason", reason.code)
                                json.finite("at", drawn?.time)
                                let formula = writing.meant.map { DrawnCurve($0) }
                                json.finite("formulaDistance", distance(to: formula)?.maximum)
                            }
                        }
                        json.warnings(writing.warnings, distance: drawn?.maximum)
                    }
                }
            }
            // The changes of the request's own convention, both in reading the parameters and in drawing the spring.
            let drawn = write(query.convention)
            let reading = query.reading.warnings
            let warnings = reading + drawn.warnings.filter { !reading.contains($0) }
            json.warnings(warnings, distance: distance(to: drawn.drawn)?.maximum)
        }
    }

    /// `GET /v1/springs/compare`: the largest distance between two springs, and its time.
    package var compare: Handler {
        later(SpringQuery.names(prefix: "a.") + SpringQuery.names(prefix: "b.")) { query in
            let springs = try SpringQuery.several(query, prefixes: ["a.", "b."])
            return { json in
                let distance = springs[0].curve.distance(to: springs[1].curve)
                json.member("maxDistance", distance.maximum)
                json.member("time", distance.time)
                json.object("a") { $0.query(springs[0]) }
                json.object("b") { $0.query(springs[1]) }
            }
        }
    }

    /// `GET /v1/springs/presets`: the presets of every platform, and for a given spring the nearest ones.
    package var presets: Handler {
        later(SpringQuery.plainNames) { query in
            let curve = query.names.isEmpty ? nil : try SpringQuery(query).curve
            return { json in
                if let curve {
                    json.objects("nearest", Presets.nearest(to: curve)) { json, nearest in
                        json.member("platform", nearest.preset.platform)
                        json.member("name", nearest.preset.name)
                        json.member("maxDistance", nearest.distance.maximum)
                        json.member("time", nearest.distance.time)
                    }
                }
                json.objects("presets", Presets.all) { json, preset in
                    json.member("platform", preset.platform)
                    json.member("name", preset.name)
                    json.member("convention", preset.convention.id)
                    json.parameters(preset.parameters)
                    json.spring("spring", preset.spring)
                }
            }
        }
    }

    /// `GET /v1/springs/conventions`: every convention with its parameters, units and ranges.
    package var conventions: Handler {
        atOnce([]) { _, json in
            // The limits that every spring must satisfy, in addition to the ranges of its parameters.
            json.object("springs") { json in
                json.object("naturalFrequency") { $0.bounds(SpringRange.frequencies) }
                json.object("response") { $0.bounds(SpringRange.responses) }
                json.object("settlingTime") { $0.bounds(SpringRange.settlingTimes) }
            }
            json.objects("conventions", Conventions.all) { json, convention in
                json.member("id", convention.id)
                json.member("aliases", convention.aliases)
                json.member("title", convention.title)
                json.member("source", convention.source)
                json.objects("parameters", convention.parameters) { $0.parameter($1) }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func query(_ query: SpringQuery, travel: PlatformSettling.Travel? = nil, fps: Double = 60) {
        spring("spring", query.curve.spring)
        member("convention", query.convention.id)
        member("initialVelocity", query.curve.initialVelocity)
        settling(PlatformSettling(query.curve, epsilon: query.epsilon, travel: travel, framesPerSecond: fps))
        finite("overshoot", query.curve.overshoot)
    }

    /// Writes the silent changes of a platform, and the distance to the curve that it draws, if there is one.
    fileprivate mutating func warnings(_ warnings: [ConventionWarning], distance: Double?) {
        objects("warnings", warnings) { json, warning in
            json.member("code", warning.code)
            json.member("detail", warning.detail)
            json.finite("maxDistance", distance)
        }
    }

    /// Writes the limits of a range with the keywords of JSON Schema.
    fileprivate mutating func bounds(_ range: ParameterRange) {
        member(range.includesLower ? "minimum" : "exclusiveMinimum", range.lower)
        member(range.includesUpper ? "maximum" : "exclusiveMaximum", range.upper)
    }

    fileprivate mutating func parameter(_ parameter: ConventionParameter) {
        member("name", parameter.name)
        member("aliases", parameter.aliases)
        member("type", parameter.isFlag ? "boolean" : "number")
        if !parameter.isFlag { bounds(parameter.range) }
        if let unit = parameter.unit { member("unit", unit) }
        member("required", parameter.fallback == nil)
        guard let fallback = parameter.fallback else { return }
        if parameter.isFlag { member("default", fallback == 1) } else { member("default", fallback) }
    }
}

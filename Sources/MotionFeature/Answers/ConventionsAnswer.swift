import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/conventions`: every convention with its parameters, units and ranges.
struct ConventionsAnswer: ObjectAnswer {
    static let names: [String] = []

    init(_ query: Query) {}

    func write(_ json: inout JSONWriter) {
        // The limits that every spring must satisfy, in addition to the ranges of its parameters.
        json.object("springs") { json in
            json.object("naturalFrequency") { $0.bounds(SpringRange.frequencies) }
            json.object("response") { $0.bounds(SpringRange.responses) }
            json.object("settlingTime") { $0.bounds(SpringRange.settlingTimes) }
        }
        json.objects("conventions", Conventions.all) { json, convention in
            json.member("id", convention.id)
            json.texts("aliases", convention.aliases)
            json.member("title", convention.title)
            json.member("source", convention.source)
            json.objects("parameters", convention.parameters) { $0.parameter($1) }
        }
    }
}

extension JSONWriter {
    /// Writes the limits of a range with the keywords of JSON Schema.
    fileprivate mutating func bounds(_ range: ParameterRange) {
        member(range.includesLower ? "minimum" : "exclusiveMinimum", range.lower)
        member(range.includesUpper ? "maximum" : "exclusiveMaximum", range.upper)
    }

    fileprivate mutating func parameter(_ parameter: ConventionParameter) {
        member("name", parameter.name)
        texts("aliases", parameter.aliases)
        member("type", parameter.isFlag ? "boolean" : "number")
        if !parameter.isFlag { bounds(parameter.range) }
        if let unit = parameter.unit { member("unit", unit) }
        member("required", parameter.fallback == nil)
        guard let fallback = parameter.fallback else { return }
        if parameter.isFlag { member("default", fallback == 1) } else { member("default", fallback) }
    }
}

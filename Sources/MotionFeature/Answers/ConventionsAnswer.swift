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
        json.array("conventions") { json in
            for convention in Conventions.all {
                json.object { json in
                    json.member("id", convention.id)
                    json.texts("aliases", convention.aliases)
                    json.member("title", convention.title)
                    json.member("source", convention.source)
                    json.array("parameters") { json in
                        for parameter in convention.parameters { json.parameter(parameter) }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Writes the limits of a range with the keywords of JSON Schema.
    fileprivate mutating func bounds(_ range: ParameterRange) {
        member(range.includesLower ? "minimum" : "exclusiveMinimum", range.lower)
        member(range.includesUpper ? "maximum" : "exclusiveMaximum", range.upper)
    }

    fileprivate mutating func texts(_ name: String, _ texts: [String]) {
        array(name) { json in
            for text in texts { json.value(text) }
        }
    }

    fileprivate mutating func parameter(_ parameter: ConventionParameter) {
        object { json in
            json.member("name", parameter.name)
            json.texts("aliases", parameter.aliases)
            switch parameter.kind {
            case .number(let range, let fallback):
                json.member("type", "number")
                json.bounds(range)
                if let unit = parameter.unit { json.member("unit", unit) }
                json.member("required", parameter.isRequired)
                if let fallback { json.member("default", fallback) }
            case .flag(let fallback):
                json.member("type", "boolean")
                json.member("required", false)
                json.member("default", fallback)
            }
        }
    }
}

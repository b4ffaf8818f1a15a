import HTTPExchange
import JSON
import Motion

/// The answer of `GET /v1/springs/presets`: the presets of every platform, and for a given spring the nearest ones.
struct PresetsAnswer: ObjectAnswer {
    static let names = SpringQuery.plainNames

    private let spring: SpringQuery?

    init(_ query: Query) throws {
        spring = query.names.isEmpty ? nil : try SpringQuery(query)
    }

    func write(_ json: inout JSONWriter) {
        if let curve = spring?.curve {
            json.array("nearest") { json in
                for (preset, distance) in Presets.nearest(to: curve) {
                    json.object { json in
                        json.member("platform", preset.platform)
                        json.member("name", preset.name)
                        json.member("maxDistance", distance.maximum)
                        json.member("time", distance.time)
                    }
                }
            }
        }
        json.array("presets") { json in
            for preset in Presets.all {
                json.object { json in
                    json.member("platform", preset.platform)
                    json.member("name", preset.name)
                    json.member("convention", preset.convention.id)
                    json.object("parameters") { json in
                        for parameter in preset.parameters { json.member(parameter.name, parameter.value) }
                    }
                    json.spring("spring", preset.spring)
                }
            }
        }
    }
}

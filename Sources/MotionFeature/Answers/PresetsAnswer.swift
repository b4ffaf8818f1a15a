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
            json.object("parameters") { json in
                for (name, value) in preset.parameters { json.member(name, value) }
            }
            json.spring("spring", preset.spring)
        }
    }
}

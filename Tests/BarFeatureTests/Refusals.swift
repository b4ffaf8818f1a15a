import Foundation
import TestSupport

/// The cases of `Tests/Vectors/refusals.json`, which the service and the JavaScript client refuse alike.
struct Refusals: Sendable {
    typealias Row = BarBadInputTests.Row

    let events: [Row]
    let creations: [Row]
    /// Changes of the tracks of a bar.
    let tracks: [Row]

    /// The cases of the file; none if it cannot be read, which a test reports.
    static let shared = (try? Refusals()) ?? Refusals(events: [], creations: [], tracks: [])

    private init(events: [Row], creations: [Row], tracks: [Row]) {
        self.events = events
        self.creations = creations
        self.tracks = tracks
    }

    init() throws {
        let file = try JSONSerialization.jsonObject(with: VectorFile.refusals.data()) as? [String: Any] ?? [:]
        func rows(_ list: String, _ member: String) throws -> [Row] {
            try (file[list] as? [[String: Any]] ?? []).map { row in
                let content = row[member] ?? NSNull()
                let json = try JSONSerialization.data(withJSONObject: content, options: .fragmentsAllowed)
                return Row(
                    String(decoding: json, as: UTF8.self),
                    row["status"] as? Int ?? 0,
                    row["code"] as? String ?? "",
                    row["pointer"] as? String
                )
            }
        }
        events = try rows("events", "event")
        tracks = try rows("tracks", "tracks")
        creations = try rows("creations", "body")
    }
}

import Foundation
import TestSupport

/// The cases of `Tests/Vectors/refusals.json`, which the service and the JavaScript client refuse alike.
enum Refusals {
    typealias Row = BarBadInputTests.Row

    static let events = rows("events", "event")
    static let creations = rows("creations", "body")
    /// Changes of the tracks of a bar.
    static let tracks = rows("tracks", "tracks")

    private static func rows(_ list: String, _ member: String) -> [Row] {
        // `!`: the file is part of the checkout, and has these lists.
        let file = try! JSONSerialization.jsonObject(with: VectorFile.refusals.data()) as! [String: Any]
        return (file[list] as! [[String: Any]]).map { row in
            let content = row[member] ?? NSNull()
            let json = try! JSONSerialization.data(withJSONObject: content, options: .fragmentsAllowed)
            return Row(
                String(decoding: json, as: UTF8.self),
                row["status"] as! Int,
                row["code"] as! String,
                row["pointer"] as? String
            )
        }
    }
}

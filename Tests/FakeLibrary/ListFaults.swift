import Foundation
import HTTPExchange
import HTTPTypes

/// The faults of a list, which change its photos.
struct ListFaults {
    let faults: [Fault]
    let request: Request

    /// The number of photos to publish after the answer.
    var published: Int { faults.reduce(0) { $0 + ($1.kind == .listShift ? $1.photos ?? 1 : 0) } }

    /// Returns the list with repeated photos and other locations.
    ///
    /// `answer` returns the correct answer to another request.
    func change(_ response: Response, answer: (Request) -> Response?) -> Response {
        let faults = faults.filter { $0.kind == .duplicates || $0.kind == .downloadLocations }
        guard !faults.isEmpty, var photos = ListFaults.photos(of: response) else { return response }
        for fault in faults {
            if let locations = fault.locations, !locations.isEmpty {
                for index in photos.indices {
                    photos[index]["links"] = ["download_location": locations[index % locations.count]]
                }
            }
            guard fault.kind == .duplicates else { continue }
            let before = pageBefore.flatMap(answer).flatMap(ListFaults.photos) ?? []
            for (index, photo) in before.suffix(fault.across ?? 1).enumerated() where photos.indices.contains(index) {
                photos[index] = photo
            }
            for index in photos.indices.dropFirst().prefix(fault.inside ?? 1) { photos[index] = photos[0] }
        }
        var response = response
        response.content = .bytes(ListFaults.content(photos, in: response))
        return response
    }

    /// The request for the page before; nil for the first page.
    private var pageBefore: Request? {
        guard var parts = URLComponents(string: request.target.raw), var items = parts.queryItems,
            let index = items.firstIndex(where: { $0.name == "page" }),
            let page = items[index].value.flatMap({ Int($0) }),
            page > 1
        else { return nil }
        items[index].value = "\(page - 1)"
        parts.queryItems = items
        var request = request
        request.target = Target(parts.string ?? "")
        return request
    }

    private static func document(_ response: Response) -> Any? {
        guard response.status == .ok, case .bytes(let bytes) = response.content else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(bytes))
    }

    /// The photos of a list or of a search.
    private static func photos(of response: Response) -> [[String: Any]]? {
        let document = document(response)
        return document as? [[String: Any]] ?? (document as? [String: Any])?["results"] as? [[String: Any]]
    }

    private static func content(_ photos: [[String: Any]], in response: Response) -> [UInt8] {
        var document: Any = photos
        if var search = self.document(response) as? [String: Any] {
            search["results"] = photos
            document = search
        }
        let data = try? JSONSerialization.data(withJSONObject: document, options: .withoutEscapingSlashes)
        return Array(data ?? Data())
    }
}

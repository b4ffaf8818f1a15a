import HTTPTypes
import JSON
import Primitives
import SpringbarService

@testable import HTTPExchange
@testable import Photos

/// Well-formed documents of the library.
enum Photos {
    private static func photo(_ number: Int) -> String {
        """
        {"id":"p\(number)","slug":"a-photo-p\(number)","width":4000,"height":3000,"created_at":"2026-01-02T03:04:05Z",\
        "color":"#c0ffee","blur_hash":"LEHV6nWB2yk8pyo0adR*.7kCMdnj","description":null,"alt_description":"a photo",\
        "likes":7,"urls":{"raw":"https://images.example/p\(number)?ixid=1","full":"https://images.example/p?q=85",\
        "regular":"https://images.example/p?w=1080","small":"https://images.example/p?w=400",\
        "thumb":"https://images.example/p?w=200"},"links":{"download_location":\
        "https://api.unsplash.com/photos/p\(number)/download?ixid=1"},"user":{"username":"u","name":"N"}}
        """
    }

    /// Returns a page of thirty photos.
    static let page: [UInt8] = Array("[\((1...30).map(photo).joined(separator: ","))]".utf8)
}

private struct Question: Sendable {
    var method: HTTPRequest.Method = .get
    let target: String
    let statuses: Set<Int>
}

/// The allowed responses of a `/v1` route, for any response of the library.
private let faults: Set<Int> = [200, 400, 404, 422, 502, 503, 504]

private let questions: [Question] = [
    Question(target: "/v1/photos?limit=30", statuses: faults),
    Question(target: "/v1/photos?page=2&perPage=7", statuses: faults),
    Question(target: "/v1/search/photos?query=x&limit=3", statuses: faults),
    Question(target: "/v1/topics/t/photos", statuses: faults),
    Question(target: "/v1/photos/p1?detail=full", statuses: faults),
    Question(target: "/v1/photos/p1", statuses: faults),
    Question(target: "/v1/photos/p1/placeholder.png?w=8&h=8", statuses: faults),
    Question(target: "/v1/photos/p1/placeholder.png", statuses: faults),
    Question(target: "/v1/photos/p1/image/small", statuses: faults),
    Question(method: .post, target: "/v1/photos/p1/download", statuses: faults.union([202])),
    Question(target: "/unsplash/photos?page=2&per_page=7", statuses: faults.union([401, 403, 410, 429])),
    Question(target: "/unsplash/search/photos?query=x", statuses: faults.union([401, 403, 410, 429])),
    Question(target: "/unsplash/photos/p1", statuses: faults.union([401, 403, 410, 429])),
    Question(target: "/unsplash/photos/random", statuses: faults.union([401, 403, 410, 429])),
    Question(target: "/unsplash/photos/p1/download", statuses: faults.union([401, 403, 410, 429])),
]

private let upstreamStatuses = [200, 200, 200, 200, 200, 301, 400, 401, 403, 404, 410, 418, 422, 429, 500, 503]

/// A response of the library (status, Link field and content), used for each of our routes.
@Sendable
func fuzzPayload(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let question = input.choice(questions)
    let status = input.choice(upstreamStatuses)
    var fields: [String: String] = [:]
    for name in ["link", "x-total", "retry-after", "x-ratelimit-remaining"] {
        fields[name] = String(decoding: input.line(), as: UTF8.self)
    }
    fields["x-ratelimit-limit"] = "50"
    let content = input.rest()
    let service = PhotoService(
        .init(library: .sandbox),
        library: FuzzedLibrary(status: status, fields: fields, content: content)
    )
    let answer = Service.application(around: service).answer(
        Request(method: question.method, target: Target(question.target)),
        atMost: 65_536 + 16 * content.count
    )
    // The drop-in forwards the library's own 5xx.
    let isGivenOn = question.target.hasPrefix("/unsplash") && answer.status == status
    require(question.statuses.contains(answer.status) || isGivenOn, "\(answer.status) for \(question.target)")
    if question.target.hasPrefix("/v1"), answer.status == 200, answer.fields[.contentType] == "application/json" {
        checkPhotos(in: answer.json)
    }
}

/// Checks that every photo has an id and a size, and that its markup has only the two links of the attribution.
private func checkPhotos(in value: JSONValue) {
    guard let object = try? value.object() else { fail("the response is not an object") }
    let photos = (try? object.optional("items")?.array().map { try $0.object() }) ?? [object]
    for photo in photos {
        do {
            require(try !photo.required("id").string().isEmpty, "a photo without an id")
            require(try photo.required("width").integer() > 0, "a photo without a width")
            require(try photo.required("aspectRatio").double() > 0, "a photo without an aspect ratio")
            let html = try photo.required("attribution").object().required("html").string()
            // Two links, or none for a picture of the built-in library.
            let tags = html.utf8.count { $0 == UInt8(ascii: "<") }
            require(tags == 4 || tags == 0, "the attribution has other tags: \(html)")
        } catch {
            fail("a photo does not fit the contract: \(error)")
        }
    }
}

private let dropInPaths = [
    "photos", "photos/{}", "photos/{}/download", "search/photos", "topics", "topics/{}", "topics/{}/photos",
    "collections/{}/photos", "photos/random",
]

/// A request of a drop-in client: a line with the id in its path, then its query.
@Sendable
func fuzzDropIn(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let template = input.choice(dropInPaths)
    // The server accepts only visible ASCII (RFC 3986) and no fragment.
    let id = String(decoding: input.line().filter { isVisible($0) && !"?/#".utf8.contains($0) }, as: UTF8.self)
    let query = String(decoding: input.rest().filter { isVisible($0) && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    let path = template.replacing("{}", with: id)
    let library = FuzzedLibrary(status: 200, fields: ["x-total": "900"], content: Photos.page)
    let service = PhotoService(.init(library: .sandbox), library: library)
    let request = Request(
        method: .get,
        target: Target("/unsplash/\(path)?\(query)"),
        fields: [.host: "localhost:8080"]
    )
    let answer = Service.application(around: service).answer(request, atMost: 262_144)
    require([200, 400, 404, 405, 414, 422, 502].contains(answer.status), "\(answer.status) for \(request.target)")
    if let link = answer.fields[.link] {
        let links = link.utf8.count { $0 == UInt8(ascii: "<") }
        require(1...4 ~= links, "\(links) links")
        require(link.utf8.count { $0 == UInt8(ascii: "\"") } == 2 * links, "a relation is added: \(link)")
        require(link.utf8.count { $0 == UInt8(ascii: ">") } == links, "a link ends early: \(link)")
    }
    require(library.asked.count <= 2, "\(library.asked.count) calls for one page")
    for target in library.asked { checkUpstream(target) }
}

private func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

/// Checks that a target is within the known paths, for any request of a client.
private func checkUpstream(_ target: String) {
    require(target.utf8.allSatisfy(isVisible), "a target with bytes that are not allowed: \(target.debugDescription)")
    require(target.hasPrefix("/") && !target.utf8.contains(UInt8(ascii: "#")), "a fragment: \(target)")
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    for segment in parts[0].split(separator: "/") {
        let decoded = PercentEncoding.decode(segment)
        require(decoded != nil && decoded != "." && decoded != ".." && decoded?.contains("/") == false, target)
    }
    for pair in parts.dropFirst().joined().split(separator: "&") {
        let name = PercentEncoding.decode(pair.prefix { $0 != "=" }, plusIsSpace: true)
        require(name?.lowercased() != "client_id", "a client's key is forwarded: \(target)")
    }
}

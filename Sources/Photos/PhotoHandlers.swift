package import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary

/// The handlers of photos: answer at once from the cache, or later after a fetch.
package struct PhotoHandlers: Sendable {
    package let service: PhotoService

    package init(_ service: PhotoService) {
        self.service = service
    }

    /// `GET /v1/photos/{id}?detail=basic|full`: one photo by its id or slug.
    package func photo(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let query = try Query(request.target, allowing: ["detail"])
            let isFull = try query.choice("detail", of: Detail.self) == .full
            let id = try context.parameters.photo()
            let (base, answers) = (service.hotlinkBase(request), service.answers)
            if let photo = answers.cachedPhoto(id, isFull: isFull) { return .now(response(photo, isFull, base)) }
            return .later { [self] in response(try await answers.photo(id, isFull: isFull), isFull, base) }
        }
    }

    private enum Detail: String, CaseIterable {
        case basic, full
    }

    private func response(_ served: LibraryCache.Served<PhotoDetail>, _ isFull: Bool, _ base: String?) -> Response {
        let writer = PhotoJSON(configuration: service.configuration, hotlinkBase: base)
        let json = JSONWriter.object(capacity: 4096) { json in
            writer.members(of: served.answer.value.photo, in: &json)
            if isFull, let document = served.answer.value.document { PhotoJSON.details(of: document, in: &json) }
        }
        return service.response(json, served.status, fetched: served.answer.fetched, .details, hasLinks: base != nil)
    }

    /// `POST /v1/photos/{id}/download`: reports a download to the library, as its terms require.
    ///
    /// The answer does not wait for the library. Requests with the same `Idempotency-Key` and token are one report.
    package func download(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let id = try context.parameters.photo()
            if !request.content.isEmpty { try JSON.parse(request.content).object().only() }
            let key = try IdempotencyKey(request, context)
            let account = context.memory.account
            return .later { [service] in
                let isRepeated = try await service.queueReport(id, key: key, account: account)
                return Self.accepted { json in
                    json.member("id", id)
                    json.member("repeated", isRepeated)
                }
            }
        }
    }

    /// `POST /v1/photos/prefetch`: fetches pictures into the cache.
    package func prefetch(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let root = try JSON.parse(request.content).object()
            try root.only("ids", "variant")
            let names = try root.required("ids")
            let list = try names.array()
            guard 1...Self.prefetchedAtOnce ~= list.count else {
                throw names.error("must have 1 to \(Self.prefetchedAtOnce) ids")
            }
            let ids = try list.map { element in
                let text = try element.string()
                guard let name = LibraryName(photo: text) else {
                    throw element.error("must be the id or slug of a photo")
                }
                return name.text
            }
            let variant = try root.optional("variant")?.choice(of: PictureTransform.Variant.self) ?? .regular
            try service.prefetch(ids, PictureTransform(variant), account: context.memory.account)
            return .now(Self.accepted { json in json.member("accepted", ids.count) })
        }
    }

    private static let prefetchedAtOnce = 100

    private static func accepted(_ body: (inout JSONWriter) -> Void) -> Response {
        let json = JSONWriter.document(capacity: 128) { $0.object(body) }
        return .json(json, status: .accepted, fields: [.cacheControl: "no-store"])
    }
}

extension LibraryName {
    /// Reads the id or slug of a photo; nil for any other text.
    ///
    /// `random` is refused: the library answers it with another photo each time, one of which would be cached for an hour.
    init?(photo text: String) {
        guard text != "random" else { return nil }
        self.init(text)
    }
}

extension PathParameters {
    /// The photo that a path names; throws 404 for a malformed name, without a call of the library.
    func photo() throws(Problem) -> String { try Self.text(of: LibraryName(photo: require("id"))) }

    /// The topic or collection that a path names; throws 404 for a malformed name, without a call of the library.
    func libraryName(_ name: String) throws(Problem) -> String { try Self.text(of: LibraryName(require(name))) }

    private static func text(of name: LibraryName?) throws(Problem) -> String {
        if let name { return name.text }
        let detail = "An id or slug must be 1 to \(LibraryName.longest) letters, digits, `-` or `_`."
        throw Problem(.photoNotFound, detail, fields: [.cacheControl: "no-store"])
    }
}

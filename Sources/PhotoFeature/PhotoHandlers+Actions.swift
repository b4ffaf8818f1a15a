package import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed
import Primitives

extension PhotoHandlers {
    /// `POST /v1/photos/{id}/download`: reports a download to the library, as its terms require.
    ///
    /// The answer does not wait for the library. Requests with the same `Idempotency-Key` and token are one report.
    package func download(_ request: Request, _ context: Context) throws -> Reply {
        try context.traced {
            let id = try context.parameters.photo()
            let key = try IdempotencyKey(request, context)
            return .later { [service] in
                let verdict = try await service.queueReport(id, key: key)
                if verdict == .conflict {
                    throw Problem(.idempotencyKeyReused, "This key was used for the download of another photo.")
                }
                return Self.accepted { json in
                    json.member("id", id)
                    json.member("repeated", verdict == .repeated)
                }
            }
        }
    }

    /// `POST /v1/photos/prefetch`: fetches pictures into the cache.
    package func prefetch(_ request: Request, _ context: Context) throws -> Reply {
        try context.traced {
            let root = try JSON.parse(request.content).object()
            try root.only("ids", "variant")
            let list = try root.required("ids").array()
            guard 1...Self.prefetchedAtOnce ~= list.count else {
                throw list.error("must have 1 to \(Self.prefetchedAtOnce) ids")
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
        var json = JSONWriter(capacity: 128)
        json.object { json in body(&json) }
        return .json(json.bytes, status: .accepted, fields: [.cacheControl: "no-store"])
    }
}

package import HTTPExchange
import HTTPTypes
import PhotoLibrary
import Primitives

/// The library's own API at `/unsplash`, for its existing clients, with a cache, shared fetches and the shared budget.
///
/// The answers of the library are those of `/v1`: here they are forwarded, there they become slices of a snapshot.
package struct DropInHandlers: Sendable {
    private let service: PhotoService

    package init(_ service: PhotoService) {
        self.service = service
    }

    /// A list in pages, such as `GET /unsplash/photos`, or a search, such as `GET /unsplash/search/users`.
    package func list(_ request: Request, _ context: Context) throws -> Reply { answer(request, context, page) }

    /// A document, such as `GET /unsplash/photos/{id}`, unchanged but for its links to the service.
    package func document(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in
            let (answer, status) = try await service.answers.answer(.init(target: request.target()))
            let content = DropInLinks.rewrite(answer.value.content, for: request)
            return withRateLimit(service.response(content, status, fetched: answer.fetched, .details, hasLinks: true))
        }
    }

    /// `GET /unsplash/photos/random`: another photo each time.
    package func random(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in
            try LibraryCache.requireFetch()
            return uncached(DropInLinks.rewrite(try await service.answers.send(request.target()), for: request))
        }
    }

    /// `GET /unsplash/photos/{id}/download`: a report, with all parameters of the request.
    package func download(_ request: Request, _ context: Context) throws -> Reply {
        let photo = context.parameters.require("id")
        let isHead = request.method == .head
        return answer(request, context) { request in
            if isHead {
                // A HEAD is safe (RFC 9110, section 9.2.1): no report, and the length of its answer is not known.
                var response = uncached([])
                response.content = .stream(EventStream())
                return response
            }
            try LibraryCache.requireFetch()
            let report = try await service.answers.send(request.reportTarget())
            return uncached(DropInLinks.download(of: photo, for: request) ?? report)
        }
    }

    /// A page of up to 30 entries, a part of the library's pages of 30.
    @Sendable private func page(_ request: DropInRequest) async throws -> Response {
        let start = (request.page - 1) * request.perPage
        var entries: [ArraySlice<UInt8>] = []
        var status = CacheStatus.hit
        var fetched = service.now
        var total: Int?
        var hasNext = false
        var called: Instant?
        let isSearch = PhotoPayload.isSearch(request.path)
        for number in start / Feed.pageSize...(start + request.perPage - 1) / Feed.pageSize {
            let target = request.target([("page", "\(number + 1)"), ("per_page", "\(Feed.pageSize)")])
            // New entries move others from the first page to the second: an older second one would lack them.
            let (answer, origin) = try await service.answers.answer(.init(target: target, notBefore: called))
            // Both pages may be fetched again at once, in the background.
            called = answer.called ?? answer.fetched
            let document = RawJSON.list(answer.value, isSearch: isSearch)
            // A page of the library may be short, and the next one begins with its own first entry.
            let first = max(0, start - number * Feed.pageSize)
            let part = document.entries.prefix(start + request.perPage - number * Feed.pageSize).dropFirst(first)
            // A newer second page repeats entries of the first.
            let ids = Set(entries.compactMap { RawJSON.member("id", of: $0) })
            entries += ids.isEmpty ? part : part.filter { !ids.contains(RawJSON.member("id", of: $0) ?? []) }
            total = document.total ?? total
            fetched = min(fetched, answer.fetched)
            status = status.joined(with: origin)
            let count = document.entries.count
            let follows = answer.value.hasNext(after: number + 1, total: document.total, count: count)
            hasNext = follows || count > start + request.perPage - number * Feed.pageSize
            if !follows { break }
        }
        let list = "[".utf8 + Array(entries.joined(separator: ",".utf8)) + "]".utf8
        var content = DropInLinks.rewrite(list, for: request)
        if isSearch {
            let pages = ((total ?? 0) + request.perPage - 1) / request.perPage
            content = "{\"total\":\(total ?? 0),\"total_pages\":\(pages),\"results\":".utf8 + content + "}".utf8
        }
        var response = withRateLimit(service.response(content, status, fetched: fetched, .lists, hasLinks: true))
        response.fields.append(.xPerPage, "\(request.perPage)")
        if let total { response.fields.append(.xTotal, "\(total)") }
        response.fields[.link] = DropInLinks.field(request, total: total, hasNext: hasNext)
        return response
    }

    private func uncached(_ content: [UInt8]) -> Response {
        withRateLimit(.json(content, fields: [.cacheControl: "no-store"]))
    }

    /// Adds the service's budget in the library's fields: clients share it.
    private func withRateLimit(_ response: Response) -> Response {
        let hour = service.answers.budget.hour
        var response = response
        response.fields.append(.xRateLimitLimit, "\(hour.limit)")
        response.fields.append(.xRateLimitRemaining, "\(hour.remaining)")
        return response
    }

    /// Answers later, with errors in the library's format; a malformed request is refused at once.
    private func answer(
        _ request: Request,
        _ context: Context,
        _ body: @escaping @Sendable (DropInRequest) async throws -> Response
    ) -> Reply {
        guard let template = context.route?.template else { preconditionFailure("a handler without a route") }
        do throws(UpstreamError) {
            let dropIn = try DropInRequest(request, template: template, context.parameters, for: service)
            return service.reply(to: request, context) {
                .later {
                    do {
                        return try await body(dropIn)
                    } catch let error as UpstreamError {
                        return withRateLimit(DropInErrors.response(error, template: template))
                    }
                }
            }
        } catch {
            return .now(withRateLimit(DropInErrors.response(error, template: template)))
        }
    }
}

package import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives

/// The library's own API at `/unsplash`: an existing client changes its base URL, and gets the cache, shared fetches and
/// the shared budget.
///
/// Keys of clients are replaced by the service's own.
///
/// The hourly budget and the breaker are those of `/v1`, the cache is not. Here an answer is the library's document of
/// that page number, with all of its members. There it is a slice of a snapshot, with the members that the service keeps
/// of each photo. Neither follows from the other, so that an app with both formats fetches each list twice.
package struct DropInHandlers: Sendable {
    private let service: PhotoService

    package init(_ service: PhotoService) {
        self.service = service
    }

    /// `GET /unsplash/photos`, `/unsplash/topics`, `/unsplash/topics/{slug}/photos`,
    /// `/unsplash/collections/{id}/photos`: lists in pages.
    package func list(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in try await page(request, isSearch: false) }
    }

    /// `GET /unsplash/search/photos`: a page in an object with its totals.
    package func search(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in try await page(request, isSearch: true) }
    }

    /// `GET /unsplash/photos/{id}`, `/unsplash/topics/{slug}`: an unchanged document.
    package func document(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in
            let served = try await service.document(request.target.text(), isSearch: false, .details)
            let content = request.rewritten(served.value.content)
            return response(content, served.status, fetched: served.fetched, .details)
        }
    }

    /// `GET /unsplash/photos/random`: another photo each time.
    package func random(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in
            uncached(request.rewritten(try await service.uncachedDocument(request.target.text()).content))
        }
    }

    /// `GET /unsplash/photos/{id}/download`: a report, with all parameters of the request.
    package func download(_ request: Request, _ context: Context) throws -> Reply {
        answer(request, context) { request in
            guard request.reportQuery.utf8.count <= DropInRequest.longestQuery else {
                throw DropInRequest.Refusal.tooLong
            }
            let query = request.reportQuery.isEmpty ? "" : "?" + request.reportQuery
            return uncached(try await service.uncachedDocument(request.target.path + query).content)
        }
    }

    /// A page of up to 30 entries, a part of the library's pages of 30.
    private func page(_ request: DropInRequest, isSearch: Bool) async throws -> Response {
        let start = (request.page - 1) * request.perPage
        var entries: [[UInt8]] = []
        var status = CacheStatus.hit(ttl: Freshness.lists.fresh)
        var fetched = service.now
        var total: Int?
        for number in start / Feed.pageSize...(start + request.perPage - 1) / Feed.pageSize {
            let target = request.target.text([("page", "\(number + 1)"), ("per_page", "\(Feed.pageSize)")])
            let served = try await service.document(target, isSearch: isSearch, .lists)
            let first = max(0, start - number * Feed.pageSize)
            let ranges = served.value.entries.dropFirst(first).prefix(request.perPage - entries.count)
            entries += ranges.map { range in
                request.hotlinkBase.map { DropInLinks.rewriteURLs(served.value.content, in: range, base: $0) }
                    ?? Array(served.value.content[range])
            }
            total = served.value.total ?? total
            fetched = min(fetched, served.fetched)
            status = served.status
            if served.value.entries.count < Feed.pageSize { break }
        }
        var content: [UInt8] = []
        if isSearch {
            let pages = ((total ?? 0) + request.perPage - 1) / request.perPage
            content += "{\"total\":\(total ?? 0),\"total_pages\":\(pages),\"results\":".utf8
        }
        content += "[".utf8
        content += entries.joined(separator: ",".utf8)
        content += "]".utf8
        if isSearch { content += "}".utf8 }
        var response = response(
            DropInLinks.rewriteDownloadLocations(content, base: request.base),
            status,
            fetched: fetched,
            .lists
        )
        response.fields.append(.xPerPage, "\(request.perPage)")
        if let total {
            response.fields.append(.xTotal, "\(total)")
            response.fields[.link] = DropInLinks.field(request, total: total)
        }
        return response
    }

    private func response(
        _ content: [UInt8],
        _ status: CacheStatus,
        fetched: Instant,
        _ freshness: Freshness
    ) -> Response {
        let age = max(.zero, service.now - fetched)
        let control = freshness == .lists ? CacheControl.page : CacheControl.detail
        var response = Response.json(
            content,
            fields: [
                .eTag: EntityTag(hashing: content).description,
                .cacheControl: age < freshness.fresh ? control : CacheControl.stale,
                .age: "\(age.components.seconds)",
                .cacheStatus: status.text,
            ]
        )
        appendRateLimit(to: &response)
        return response
    }

    private func uncached(_ content: [UInt8]) -> Response {
        var response = Response.json(content, fields: [.cacheControl: "no-store"])
        appendRateLimit(to: &response)
        return response
    }

    /// The service's budget in the library's fields: clients share it.
    private func appendRateLimit(to response: inout Response) {
        let (limit, remaining) = service.withGate { ($0.budget.limit, $0.budget.remaining(now: $1)) }
        response.fields.append(.xRateLimitLimit, "\(limit)")
        response.fields.append(.xRateLimitRemaining, "\(remaining)")
    }

    /// Answers later, with errors in the library's format; a malformed request is refused at once.
    private func answer(
        _ request: Request,
        _ context: Context,
        _ body: @escaping @Sendable (DropInRequest) async throws -> Response
    ) -> Reply {
        guard let template = context.route?.template else { preconditionFailure("a handler without a route") }
        let dropIn: DropInRequest
        do {
            dropIn = try DropInRequest(
                request,
                template: template,
                context.parameters,
                publicURL: service.configuration.publicURL,
                hotlinkBase: service.hotlinkBase(request)
            )
        } catch {
            let resource = RawTarget(path: String(template.dropFirst("/unsplash".count)), parameters: []).resource
            return .now(DropInErrors.response(error, resource: resource))
        }
        return context.traced {
            .later {
                do {
                    return try await body(dropIn)
                } catch let error as UpstreamError {
                    return DropInErrors.response(error, resource: dropIn.target.resource)
                } catch let refusal as DropInRequest.Refusal {
                    return DropInErrors.response(refusal, resource: dropIn.target.resource)
                }
            }
        }
    }
}

extension DropInRequest {
    /// Returns a document whose links lead to the service.
    fileprivate func rewritten(_ content: [UInt8]) -> [UInt8] {
        let content = hotlinkBase.map { DropInLinks.rewriteURLs(content, base: $0) } ?? content
        return DropInLinks.rewriteDownloadLocations(content, base: base)
    }
}

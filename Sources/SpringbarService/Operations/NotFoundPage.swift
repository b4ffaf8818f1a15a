import HTTPExchange
import Primitives

/// Answers browsers, which prefer HTML, with a page instead of the problem `not-found`.
///
/// The page is not compressed, because it is about as long as a packet.
struct NotFoundPage: Middleware {
    private let page = Asset.required("Playground/not-found.html").text
    /// Links begin with it, or with the host of the request.
    let publicURL: String?
    /// Whether a request is of a program in any case.
    let except: @Sendable (Request, Context) -> Bool

    func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard response.problem == Problem.Kind.notFound.code, !except(request, context) else { return }
        if (try? request.preferred(of: [.json, .problem, .html])) == .html {
            response.content = .bytes(Array(text(for: request).utf8))
            response.fields[.contentType] = "text/html; charset=utf-8"
            for field in PlaygroundHandlers.rules().entries { response.fields[field.name] = field.value }
        }
        response.vary(by: .accept)
    }

    /// Returns the page with the first 100 scalars of the path, and the address of the service.
    private func text(for request: Request) -> String {
        let path = String(request.target.path.unicodeScalars.prefix(100))
        // The path is last, so that no part of it is a mark.
        return page.replacing("{base}", with: HTMLText.escaped(request.base(publicURL: publicURL)))
            .replacing("{path}", with: HTMLText.escaped(path))
    }
}

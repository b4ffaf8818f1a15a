import HTTPTypes
import Logging

/// One line for each exchange, when its response is made.
///
/// The path is logged without its query, which may hold a key or what somebody searches for. Whether the line is wanted
/// at all is asked first: with the level above `info` it costs a comparison.
package struct AccessLog: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard context.logs(.info), !context.isSettled else { return }
        var metadata: Logger.Metadata = [
            "method": .string(String(request.method.rawValue[...].excerpt)),
            "route": .string(context.match.template ?? "none"),
            "path": .string(String(request.target.path.prefix(200))),
            "status": .stringConvertible(response.status.code),
            "durationMilliseconds": .stringConvertible(milliseconds(context.elapsed)),
        ]
        if let client = context.client { metadata["client"] = .string(client) }
        if let bytes = sentBytes(response, request) { metadata["bytes"] = .stringConvertible(bytes) }
        context.logger.info("request", metadata: metadata)
    }

    /// In whole microseconds, so that the text stays short.
    private func milliseconds(_ duration: Duration) -> Double {
        Double(duration / .microseconds(1)).rounded() / 1000
    }

    /// The content's length as it goes over the wire; nil for a stream that does not know.
    private func sentBytes(_ response: Response, _ request: Request) -> Int? {
        let isBare = request.method == .head || response.status == .notModified || response.status == .noContent
        return isBare ? 0 : response.content.length
    }
}

import HTTPTypes
import Logging
import Primitives

/// Logs one line for each exchange when its response is ready.
///
/// With a level above `info` it costs a comparison.
package struct AccessLog: Middleware {
    private let write: (@Sendable (AccessRecord) -> Void)?

    /// - Parameter write: writes a line, on the server's threads, and must not block; nil for the service's logger, which
    ///   takes a dictionary of boxed values: that costs more than the rest of the line.
    package init(write: (@Sendable (AccessRecord) -> Void)? = nil) {
        self.write = write
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard context.logs(.info), !context.isRefused else { return }
        let record = AccessRecord(response, request, context)
        if let write { write(record) } else { context.logger.info("request", metadata: record.metadata) }
    }
}

/// The facts of an exchange for the access log.
///
/// The path has no query, which may contain a key or a search text.
package struct AccessRecord: Sendable {
    /// At most 100 characters.
    package let method: String
    /// The route's template; `none` for a path that is not served.
    package let route: String
    /// At most 200 bytes.
    package let path: String
    package let status: Int
    /// The code of the problem, from 400 on; nil for none.
    package let problem: String?
    /// The time from the complete request to its response, in whole microseconds, so that its text stays short.
    package let durationMilliseconds: Double
    /// The client's address; nil in process.
    package let client: String?
    /// The length of the content that is sent; nil for a stream of unknown length.
    package let bytes: Int?
    package let requestID: String
    package let trace: TraceContext?

    init(_ response: Response, _ request: Request, _ context: Context) {
        let name = request.method.rawValue
        method = name.utf8.count <= 100 ? name : String(name[...].excerpt)
        route = context.match.template ?? "none"
        path = AccessRecord.beginning(of: request.target)
        status = response.status.code
        problem = response.problem
        durationMilliseconds = Double((context.elapsed.wholeNanoseconds + 500) / 1000) / 1000
        client = request.client
        let isBare = request.method == .head || response.status == .notModified || response.status == .noContent
        bytes = isBare ? 0 : response.content.length
        requestID = context.requestID
        trace = context.trace
    }

    /// Returns the first 200 bytes, without a part of a scalar at the end.
    ///
    /// Bytes and not characters, because a character may be as long as the request.
    private static func beginning(of target: Target) -> String {
        let path = target.path
        let count = path.utf8.count
        // Most targets are a path without a query.
        if count <= 200 { return count == target.raw.utf8.count ? target.raw : String(path) }
        var end = path.utf8.index(path.startIndex, offsetBy: 200)
        // Back to the first byte of a scalar (RFC 3629, section 3: the other bytes begin with the bits 10).
        while path.utf8[end] & 0xC0 == 0x80 { end = path.utf8.index(before: end) }
        return String(path[..<end])
    }

    /// The record as metadata of a logger, without the ids, which the context's logger adds.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": .string(method),
            "route": .string(route),
            "path": .string(path),
            "status": .stringConvertible(status),
            "durationMilliseconds": .stringConvertible(durationMilliseconds),
        ]
        if let problem { metadata["problem"] = .string(problem) }
        if let client { metadata["client"] = .string(client) }
        if let bytes { metadata["bytes"] = .stringConvertible(bytes) }
        return metadata
    }
}

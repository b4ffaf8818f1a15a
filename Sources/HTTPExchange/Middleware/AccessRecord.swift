import HTTPTypes
import Logging

/// An exchange as the access log tells it.
///
/// The path is without its query, which may hold a key or a search.
package struct AccessRecord: Sendable {
    /// At most 100 characters.
    package let method: String
    /// The route's template; `none` for a path that is not served.
    package let route: String
    /// At most 200 bytes.
    package let path: String
    package let status: Int
    /// From the complete request to its response.
    package let duration: WholeMicroseconds
    /// The client's address; nil in process.
    package let client: String?
    /// The content's length as it goes over the wire; nil for a stream that does not know.
    package let bytes: Int?
    package let requestID: String
    package let trace: TraceContext?

    init(_ response: Response, _ request: Request, _ context: Context) {
        let name = request.method.rawValue
        method = name.utf8.count <= 100 ? name : String(name[...].excerpt)
        route = context.match.template ?? "none"
        path = AccessRecord.beginning(of: request.target)
        status = response.status.code
        duration = WholeMicroseconds(context.elapsed)
        client = context.client
        let isBare = request.method == .head || response.status == .notModified || response.status == .noContent
        bytes = isBare ? 0 : response.content.length
        requestID = context.requestID
        trace = context.trace
    }

    /// The first 200 bytes, and no part of a scalar more.
    ///
    /// Not 200 characters: one of them may be as long as the request.
    private static func beginning(of target: Target) -> String {
        let path = target.path
        let count = path.utf8.count
        // Most targets are a path alone, and the text of the path is there already.
        if count <= 200 { return count == target.raw.utf8.count ? target.raw : String(path) }
        var end = path.utf8.index(path.startIndex, offsetBy: 200)
        // Back to the first byte of a scalar (RFC 3629, section 3: the others begin with the bits 10).
        while path.utf8[end] & 0xC0 == 0x80 { end = path.utf8.index(before: end) }
        return String(path[..<end])
    }

    /// The record as a logger's metadata, without the ids, which a context's logger has already.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": .string(method),
            "route": .string(route),
            "path": .string(path),
            "status": .stringConvertible(status),
            "durationMilliseconds": .stringConvertible(duration.milliseconds),
        ]
        if let client { metadata["client"] = .string(client) }
        if let bytes { metadata["bytes"] = .stringConvertible(bytes) }
        return metadata
    }
}

/// A duration in whole microseconds, so that its text stays short.
package struct WholeMicroseconds: Sendable, Equatable {
    package let count: Int

    /// Rounds a duration that is not negative.
    package init(_ duration: Duration) {
        count = Int((duration.wholeNanoseconds + 500) / 1000)
    }

    /// The same in milliseconds.
    package var milliseconds: Double { Double(count) / 1000 }
}

extension Duration {
    /// The duration without its fraction of a nanosecond; every request is timed with it.
    var wholeNanoseconds: Int64 {
        // 64 bits hold nine seconds of attoseconds, and a division of 128 bits takes several times as long as one of 64.
        if let short = Int64(exactly: attoseconds) { return short / 1_000_000_000 }
        let (seconds, rest) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
            ? .max : seconds * 1_000_000_000 + rest / 1_000_000_000
    }
}

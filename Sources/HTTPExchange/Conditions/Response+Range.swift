import HTTPTypes

extension Response {
    /// The part that Range asks for: 206 with Content-Range, the bytes shared and not copied where they were shared.
    ///
    /// The whole answer stays as it is unless it is a 200 to a GET with a strong ETag and with content in memory, and
    /// If-Range, where it is sent, names that very ETag (RFC 9110, section 13.1.5; a date never does here).
    ///
    /// - Throws: `Problem` 416 with the content's length for a range that lies outside of it.
    package func satisfyingRange(of request: Request) throws(Problem) -> Response {
        guard status == .ok, request.method == .get, let current = fields[.eTag].flatMap({ EntityTag($0) }),
            !current.isWeak, let asked = request.fields.single(.range).flatMap({ ByteRange($0) })
        else { return self }
        if let condition = request.fields[.ifRange], EntityTag(condition)?.isSame(as: current) != true { return self }
        switch content {
        case .none, .stream: return self
        case .bytes(let bytes):
            return try part(asked, of: bytes.count) { .bytes(Array(bytes[$0])) }
        case .shared(let bytes, let whole):
            return try part(asked, of: whole.count) { part in
                .shared(bytes, whole.lowerBound + part.lowerBound..<whole.lowerBound + part.upperBound)
            }
        }
    }

    private func part(
        _ asked: ByteRange,
        of length: Int,
        _ cut: (Range<Int>) -> Content
    ) throws(Problem) -> Response {
        guard let range = asked.resolved(length: length) else {
            throw Problem(
                .rangeNotSatisfiable,
                "The content has \(length) bytes.",
                fields: [.contentRange: "bytes */\(length)"]
            )
        }
        var response = Response(status: .partialContent, fields: fields, content: cut(range))
        response.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        return response
    }
}

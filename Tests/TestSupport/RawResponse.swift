/// A response as it was sent on the wire.
package struct RawResponse: Sendable {
    /// The status line, such as `HTTP/1.1 200 OK`.
    package let statusLine: String
    package let status: Int
    /// Field names as sent, in order.
    package let fields: [(name: String, value: String)]
    package var content: [UInt8] = []

    /// The content as text.
    package var text: String { String(decoding: content, as: UTF8.self) }

    /// Parses a head, from the status line to the empty line.
    package init(head: String) throws {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
        guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw RawConnection.Failure.malformed(head) }
        lines.removeFirst()
        statusLine = first
        self.status = status
        fields = try lines.map { line in
            guard let colon = line.firstIndex(of: ":") else { throw RawConnection.Failure.malformed(head) }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
    }

    /// Returns the first value of the field; names are compared without case.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the server announced that it closes the connection.
    package var closes: Bool { self["Connection"]?.lowercased() == "close" }
}

/// One response as it stood on the wire.
package struct RawResponse: Sendable {
    /// Such as `HTTP/1.1 200 OK`.
    package let statusLine: String
    package let status: Int
    /// Names as sent, in order.
    package let fields: [(name: String, value: String)]
    package var content: [UInt8] = []

    /// The content as text.
    package var text: String { String(decoding: content, as: UTF8.self) }

    /// Takes a head apart, from the status line to the empty line.
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

    /// The first value of the field, in any case.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the server said that it closes the connection.
    package var closes: Bool { self["Connection"]?.lowercased() == "close" }
}

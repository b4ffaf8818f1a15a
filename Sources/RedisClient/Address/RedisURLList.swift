import Primitives

/// The addresses of one or more Redis servers: the value of `SPRINGBAR_REDIS_URL`.
package struct RedisURLList: Sendable, Equatable {
    /// The addresses in their order, which selects the server of a key; at least one.
    package let urls: [RedisURL]

    /// The most servers: each has two connections and a thread.
    package static let limit = 64

    /// Parses addresses that commas separate.
    ///
    /// A comma separates two addresses only if a scheme follows, so passwords and paths may contain commas.
    ///
    /// - Throws: all faults together.
    package init(_ text: String) throws(RedisURLListError) {
        let parts = Self.parts(of: text)
        guard parts.count <= Self.limit else {
            throw RedisURLListError(faults: ["must have at most \(Self.limit) addresses, has \(parts.count)"])
        }
        var urls: [(position: Int, url: RedisURL)] = []
        var faults: [String] = []
        for (index, part) in parts.enumerated() {
            let name = parts.count == 1 ? "" : "address \(index + 1) of \(parts.count): "
            do throws(RedisURLError) {
                let url = try RedisURL(String(part.trimmingBlanks()))
                if let earlier = urls.first(where: { $0.url.isSameDatabase(as: url) }) {
                    faults.append("\(name)repeats address \(earlier.position)")
                }
                urls.append((index + 1, url))
            } catch {
                faults.append("\(name)\(error)")
            }
        }
        guard faults.isEmpty else { throw RedisURLListError(faults: faults) }
        self.urls = urls.map(\.url)
    }

    private static func parts(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var (start, position) = (text.startIndex, text.startIndex)
        while let comma = text[position...].firstIndex(of: ",") {
            position = text.index(after: comma)
            if beginsWithScheme(text[position...]) {
                parts.append(text[start..<comma])
                start = position
            }
        }
        return parts + [text[start...]]
    }

    private static func beginsWithScheme(_ text: Substring) -> Bool {
        let scheme = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }
        return !scheme.isEmpty && text[scheme.endIndex...].hasPrefix("://")
    }
}

extension RedisURL {
    /// Whether both addresses lead to one database, whatever their credentials and encryption are.
    fileprivate func isSameDatabase(as other: RedisURL) -> Bool {
        guard database == other.database else { return false }
        return switch (endpoint, other.endpoint) {
        // Names of hosts do not distinguish case (RFC 4343).
        case (.host(let host, let port), .host(let otherHost, let otherPort)):
            port == otherPort && host.lowercased() == otherHost.lowercased()
        default: endpoint == other.endpoint
        }
    }
}

/// The faults of a list of Redis addresses.
///
/// The texts name positions and never repeat an address, which has a password.
package struct RedisURLListError: Error, Equatable {
    package let faults: [String]
}

import Network
import Primitives

/// The address of a Redis server, with the credentials.
///
/// The forms are `redis://[user:password@]host[:port][/database]`, `rediss://…` for TLS, and
/// `unix://[user:password@]/path[?db=database]`. User, password and path are percent-decoded.
package struct RedisURL: Sendable, Equatable {
    package enum Endpoint: Sendable, Hashable {
        case host(String, port: UInt16)
        case path(String)
    }

    package let endpoint: Endpoint
    package let isEncrypted: Bool
    /// The ACL user; nil for Redis' default user.
    package let user: String?
    package let password: String?
    package let database: Int

    /// Creates the address of another server of the same cluster: with the same credentials and encryption.
    init(_ endpoint: Endpoint, like other: RedisURL) {
        self.endpoint = endpoint
        (isEncrypted, user, password) = (other.isEncrypted, other.user, other.password)
        database = 0
    }

    package init(_ text: String) throws(RedisURLError) {
        guard let separator = text.firstRange(of: "://") else { throw .scheme }
        let scheme = text[..<separator.lowerBound]
        var rest = text[separator.upperBound...]
        guard !rest.contains("#") else { throw .fragment }
        guard ["redis", "rediss", "unix"].contains(scheme) else { throw .scheme }
        let isSocket = scheme == "unix"
        isEncrypted = scheme == "rediss"
        (user, password) = try Self.takeCredentials(&rest, isBeforePath: isSocket)
        let address = rest.prefix { $0 != (isSocket ? "?" : "/") }
        let suffix = rest[address.endIndex...].dropFirst()
        if isSocket {
            let path = address.first == "/" ? PercentEncoding.decode(address) : nil
            guard let path, SocketAddress(path: path) != nil else { throw .path }
            guard suffix.isEmpty || suffix.hasPrefix("db=") else { throw .query }
            endpoint = .path(path)
            database = suffix.isEmpty ? 0 : try Self.database(suffix.dropFirst(3))
        } else {
            guard !rest.contains("?") else { throw .query }
            endpoint = try Self.host(address)
            database = suffix.isEmpty ? 0 : try Self.database(suffix)
        }
    }

    /// Removes `user:password@` from the start and returns its parts.
    private static func takeCredentials(
        _ rest: inout Substring,
        isBeforePath: Bool
    ) throws(RedisURLError) -> (user: String?, password: String?) {
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let separator = authority.lastIndex(of: "@") else {
            // A "/" in a password that is not encoded ends the authority early.
            if !isBeforePath, rest.contains("@") { throw .credentials }
            return (nil, nil)
        }
        let credentials = authority[..<separator]
        rest = rest[rest.index(after: separator)...]
        guard let colon = credentials.firstIndex(of: ":"),
            let user = PercentEncoding.decode(credentials[..<colon]),
            let password = PercentEncoding.decode(credentials[credentials.index(after: colon)...]),
            !password.isEmpty
        else { throw .credentials }
        return (user.isEmpty ? nil : user, password)
    }

    private static func host(_ authority: Substring) throws(RedisURLError) -> Endpoint {
        guard let (host, port) = authority.hostAndPort else { throw .host }
        // A DNS name has 253 characters at most (RFC 1035, section 2.3.4).
        let isName = host.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: ":") }
        guard !host.isEmpty, host.utf8.count <= 253, isName else { throw .host }
        guard let port else { return .host(String(host), port: 6379) }
        guard let number = number(port), number > 0 else { throw .port }
        return .host(String(host), port: number)
    }

    private static func database(_ text: Substring) throws(RedisURLError) -> Int {
        // Redis' own limit is its setting `databases`; a larger number is a typing error.
        guard text.first != "-", let number = number(text) else { throw .database }
        return Int(number)
    }

    private static func number(_ text: Substring) -> UInt16? {
        NumberGrammar.integer(String(text)).flatMap(UInt16.init(exactly:))
    }
}

extension RedisURL {
    /// Parses an address, or those of several servers of one cluster, which are asked for all others.
    ///
    /// A comma separates two addresses only if a scheme follows, so passwords and paths may contain commas.
    package static func list(_ text: String) throws(RedisURLError) -> [RedisURL] {
        let parts = parts(of: text)
        var urls: [RedisURL] = []
        var faults: [String] = []
        for (index, part) in parts.enumerated() {
            let name = parts.count == 1 ? "" : "address \(index + 1) of \(parts.count): "
            do throws(RedisURLError) {
                let url = try RedisURL(String(Substring(part).trimmingBlanks()))
                if parts.count > 1, let fault = url.faultInCluster(with: urls.first) { faults.append(name + fault) }
                urls.append(url)
            } catch {
                faults += error.faults.map { name + $0 }
            }
        }
        guard faults.isEmpty else { throw RedisURLError(faults) }
        return urls
    }

    /// Returns why the address cannot be one of a cluster; `first` is the first address of the list.
    private func faultInCluster(with first: RedisURL?) -> String? {
        if case .path = endpoint { return "a cluster has no Unix sockets" }
        if database != 0 { return "a cluster has database 0 only" }
        guard let first else { return nil }
        return (first.isEncrypted, first.user, first.password) == (isEncrypted, user, password)
            ? nil : "must have the scheme, the user and the password of address 1, as all servers of a cluster"
    }

    private static func parts(of text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).reduce(into: []) { parts, part in
            let scheme = part.drop { $0 == " " }.prefix { $0.isASCII && $0.isLetter }
            let isAddress = !scheme.isEmpty && part[scheme.endIndex...].hasPrefix("://")
            if isAddress || parts.isEmpty {
                parts.append(String(part))
            } else {
                parts[parts.count - 1] += "," + part
            }
        }
    }
}

extension RedisURL: CustomStringConvertible {
    /// The place without the credentials, whatever prints an address.
    package var description: String { "\(endpoint)" }
}

/// The faults of Redis addresses.
///
/// The texts name positions and never repeat an address, which has a password.
package struct RedisURLError: Error, Equatable, CustomStringConvertible {
    package let faults: [String]

    package var description: String { faults.joined(separator: "; ") }

    init(_ faults: [String]) {
        self.faults = faults
    }

    package static let scheme = RedisURLError(["must begin with redis://, rediss:// or unix://"])
    package static let credentials = RedisURLError([
        "the part before @ must be user:password or :password, percent-encoded"
    ])
    package static let host = RedisURLError(["the host must be a name, an IPv4 address or an IPv6 address in brackets"])
    package static let port = RedisURLError(["the port must be a number from 1 to 65535"])
    package static let path = RedisURLError(["the path of a Unix socket must begin with / and have 107 bytes at most"])
    package static let query = RedisURLError([
        "a query is not allowed, except ?db=NUMBER after the path of a Unix socket"
    ])
    package static let fragment = RedisURLError(["# must be percent-encoded"])
    package static let database = RedisURLError(["the database must be a number from 0 to 65535"])
}

import Primitives

extension RedisURL {
    /// The most addresses.
    private static let mostAddresses = 64

    /// Parses an address, or those of several servers of one cluster, which are asked for all others.
    ///
    /// A comma separates two addresses only if a scheme follows, so passwords and paths may contain commas.
    package static func list(_ text: String) throws(RedisURLError) -> [RedisURL] {
        let parts = parts(of: text)
        guard parts.count <= mostAddresses else {
            throw RedisURLError(["must have at most \(mostAddresses) addresses, has \(parts.count)"])
        }
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
            if let last = parts.popLast() {
                parts += isAddress ? [last, String(part)] : [last + "," + part]
            } else {
                parts = [String(part)]
            }
        }
    }
}

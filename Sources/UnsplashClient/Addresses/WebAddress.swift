import CCurl
import Network
import PhotoLibrary

/// An http or https URL, parsed by libcurl: the address that is checked is the one that libcurl requests.
struct WebAddress: Sendable, Equatable {
    let scheme: String
    /// Lower case; an IPv6 address without its brackets.
    let host: String
    let port: Int
    /// The path and the query; begins with a slash.
    let target: String
    /// The whole URL, in libcurl's normal form.
    let text: String

    /// Returns nil unless the text is such a URL, without a user and with a port that can be connected to (not 0).
    ///
    /// libcurl accepts bytes that are not ASCII, and decodes percent-encoded ones in a host. They are refused, because
    /// they would change comparisons of hosts and prefixes. So is NUL, which would cut the text.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ 1..<0x80 ~= $0 }), let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        let flags = UInt32(CURLU_DEFAULT_PORT | CURLU_DISALLOW_USER)
        guard curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
            let scheme = WebAddress.part(url, CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https",
            let host = WebAddress.part(url, CURLUPART_HOST)?.lowercased(), !host.isEmpty,
            let port = WebAddress.part(url, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) }), port > 0,
            let path = WebAddress.part(url, CURLUPART_PATH),
            let whole = WebAddress.part(url, CURLUPART_URL), whole.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        target = path + (WebAddress.part(url, CURLUPART_QUERY).map { "?" + $0 } ?? "")
        self.text = whole
    }

    /// Returns whether both have the same scheme, host and port.
    func isAt(_ other: WebAddress) -> Bool { scheme == other.scheme && host == other.host && port == other.port }

    /// Whether the host is this machine, by its name or a literal address.
    var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    /// Returns the origins of hosts, each of the form `host` or `host:port`.
    static func origins(of hosts: [String], allowsHTTP: Bool) -> [WebAddress] {
        hosts.flatMap { host in
            (allowsHTTP ? ["https", "http"] : ["https"]).compactMap { WebAddress("\($0)://\(host)") }
        }
    }

    private static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

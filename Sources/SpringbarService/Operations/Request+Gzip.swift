import HTTPExchange

extension Request {
    /// Whether the client reads gzip: it says so, and does not say that it would rather not (RFC 9110, section 12.5.3).
    var acceptsGzip: Bool {
        fields.values(of: .acceptEncoding).flatMap { $0.split(separator: ",") }.contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && !$0.contains { "1"..."9" ~= $0 } }
        }
    }
}

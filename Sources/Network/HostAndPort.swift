extension Substring {
    /// The host and the text of the port of an authority without a user (RFC 3986, section 3.2): `host`, `host:port`,
    /// `[address]` or `[address]:port`; nil unless brackets have an IP address.
    ///
    /// Other characters are not checked.
    package var hostAndPort: (host: Substring, port: Substring?)? {
        guard first == "[" else {
            let host = prefix { $0 != ":" }
            return (host, host.endIndex == endIndex ? nil : self[host.endIndex...].dropFirst())
        }
        let host = dropFirst().prefix { $0 != "]" }
        let afterHost = self[host.endIndex...].dropFirst()
        guard host.endIndex < endIndex, IPAddress(host) != nil, afterHost.isEmpty || afterHost.first == ":" else {
            return nil
        }
        return (host, afterHost.isEmpty ? nil : afterHost.dropFirst())
    }
}

import MicroHTTPServer
import RedisClient
import SpringbarService
import UnsplashClient

extension ServerError {
    /// Returns the error as a fault of the setting that caused it, or as a failure if none did.
    ///
    /// Only the system knows whether an address is available, so these faults are found after all others. `given` returns the
    /// name by which the setting of a flag was set, and its value.
    func asFault(_ given: (_ flag: String) -> (name: String, text: String)) -> any Error {
        let (flag, rule, hint): (String, String, String)
        switch self {
        case .addressInUse(let address):
            (flag, rule) = ("--port", "must be free at \(address.host)")
            hint = "choose another one, or 0 for a free one"
        case .forbiddenPort:
            (flag, rule) = ("--port", "must be a port that this user may listen on")
            hint = "choose one above 1023, or 0 for a free one"
        case .foreignAddress:
            (flag, rule) = ("--host", "must be an address of this machine")
            hint = "choose 127.0.0.1 for clients on this machine, 0.0.0.0 or :: for all clients"
        case .invalidHost:
            (flag, rule) = ("--host", "must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1")
            hint = "names are not looked up"
        case .cannotListen(let address, let reason):
            return CommandFailure(status: 1, message: "cannot listen at \(address): \(reason)")
        case .cannotStart(let reason):
            return CommandFailure(status: 1, message: "cannot start the server: \(reason)")
        }
        let (name, text) = given(flag)
        return ConfigurationFaults(faults: ["\(name): \(rule), was \"\(text)\"; \(hint)"])
    }
}

extension Configuration {
    /// The faults that only the clients of Redis and of the photo library, and the reader of design tokens, can find.
    var otherFaults: [String] {
        redis.faults + photos.faults + [designTokens].compactMap { $0.flatMap(DesignTokenFile.fault) }
    }
}

extension Configuration.Photos {
    fileprivate var faults: [String] {
        guard accessKey != nil, !UnsplashClient.mayConnect(to: apiURL) else { return [] }
        let rule = "must have a name, a public or a loopback address"
        return ["SPRINGBAR_UNSPLASH_API_URL: \(rule), was \"\(apiURL)\""]
    }
}

extension Configuration.Redis {
    /// The faults that only the client of Redis can find.
    fileprivate var faults: [String] {
        guard let url else { return [] }
        var faults: [String] = []
        do throws(RedisURLError) {
            _ = try RedisURL.list(url.text)
        } catch {
            faults = error.faults.map { "\(Configuration.Redis.urlVariable): \($0)" }
        }
        guard let authorities else { return faults }
        do throws(ConnectionFailure) {
            _ = try TLSContext(authorities: authorities)
        } catch {
            faults.append("\(Configuration.Redis.authoritiesVariable): \(error.fault)")
        }
        return faults
    }
}

extension ConnectionFailure {
    /// The failure with the name of the setting that causes it.
    var fault: String {
        let url = Configuration.Redis.urlVariable
        return switch self {
        case .tls:
            "\(self). \(Configuration.Redis.authoritiesVariable) must be a file with the certificates of its authority"
        case .malformed(let reason): "\(url) does not lead to a Redis server: \(reason)"
        case .credentials(let fault): "Redis refuses the user name or the password of \(url): \(fault.text)"
        case .database(let fault): "Redis does not have the database of \(url): \(fault.text)"
        case .permission(let fault):
            "the server of \(url) does not have a command, or its user lacks a permission: \(fault.text)"
        case .notACluster: "\(url): \(self)"
        default: description
        }
    }
}

import RedisClient
import SpringbarService

extension Configuration.Redis {
    /// The faults that only the client of Redis can find.
    var faults: [String] {
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
        case .permission(let fault): "the user of \(url) lacks a permission: \(fault.text)"
        case .notACluster: "\(url) has several addresses, so each must be that of a server of one Redis Cluster"
        default: description
        }
    }
}

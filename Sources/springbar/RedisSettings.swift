import RedisClient
import SpringbarService

/// The settings of Redis that only its client can check.
struct RedisSettings {
    let urls: [RedisURL]
    private(set) var faults: [String] = []

    init(_ source: SettingSource) {
        guard let text = source.text(of: .redisURL)?.text else {
            urls = []
            return
        }
        do throws(RedisURLError) {
            urls = try RedisURL.list(text)
        } catch {
            urls = []
            faults = error.faults.map { "\(Setting.redisURL.variable): \($0)" }
        }
        if let fault = ConnectionFailure.tlsFault(authorities: source.text(of: .redisCA)?.text) { faults.append(fault) }
    }
}

extension ConnectionFailure {
    /// Returns why a file of authorities cannot be used; nil if it can, or if there is none.
    fileprivate static func tlsFault(authorities: String?) -> String? {
        guard let authorities else { return nil }
        do throws(ConnectionFailure) {
            _ = try TLSContext(authorities: authorities)
            return nil
        } catch {
            return "\(Setting.redisCA.variable): \(error)"
        }
    }
}

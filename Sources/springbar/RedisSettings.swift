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
            faults.append("\(Configuration.Redis.authoritiesVariable): \(error)")
        }
        return faults
    }
}

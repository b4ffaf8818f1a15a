import PhotoFeed
import Synchronization

extension PhotoService {
    /// Attempts of a report, and the waits between them: ten minutes outlast a restart of the library, and most of the
    /// times that the hour's budget is used up.
    private static let waits: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

    /// Notes a download and reports it to the library, behind the client's back.
    func noteDownload(_ idOrSlug: String, key: String?) async throws -> DownloadReports.Verdict {
        let photo = try await knownPhoto(idOrSlug)
        let verdict = key.map { key in reports.withLock { $0.note(key, photo: photo.id, now: now) } } ?? .new
        if verdict == .new {
            background.want(environment.random()) { [self] in try await report(photo) }
        }
        return verdict
    }

    /// Reports a download at the photo's own location, whose query carries the `ixid`; again when it fails.
    private func report(_ photo: Photo) async throws {
        var location = photo.downloadLocation
        if location.isEmpty { location = "https://api.unsplash.com/photos/\(URLComponent.encode(photo.id))/download" }
        for wait in Self.waits + [nil] {
            do {
                try await call(.download(environment.random()), for: .people) { () async throws(UpstreamError) in
                    _ = try await upstream.trackDownload(at: location)
                }
                return
            } catch {
                guard let wait, error.allowsStale else { throw error }
                try await environment.sleep(wait)
            }
        }
    }
}

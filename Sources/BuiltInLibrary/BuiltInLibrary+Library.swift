import HTTPExchange
package import Photos

/// The library in the process of the service.
extension BuiltInLibrary: Library {
    /// The beginning of all links, which lead nowhere (RFC 2606 reserves `.example`): the service replaces them.
    private static let base = "https://api.photos.example"

    package func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer {
        if Task.isCancelled { throw .cancelled }
        guard let remaining = configuration.rateLimit.admit(at: configuration.now()) else {
            throw .rateLimited(retryAfter: .seconds(60))
        }
        do throws(WireError) {
            let answer = try answer(to: Target(target), base: BuiltInLibrary.base)
            return LibraryAnswer(
                Array(answer.json.text.utf8),
                total: answer.page?.total,
                hasNext: answer.page.map { $0.number < $0.count },
                remainingCalls: remaining
            )
        } catch {
            throw error.status == 404 ? .notFound : .invalidQuery(error.status, error.message)
        }
    }

    package func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        guard url.hasPrefix(BuiltInLibrary.base),
            let picture = picture(at: Target(String(url.dropFirst(BuiltInLibrary.base.count))))
        else { throw .notFound }
        let file = try await file(of: picture)
        try receiver.begin(length: file.count)
        do {
            try file.withUnsafeBytes { try receiver.receive($0) }
        } catch let error as UpstreamError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}

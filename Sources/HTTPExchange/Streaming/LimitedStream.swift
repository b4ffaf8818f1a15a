import Synchronization

/// A stream that counts against the share of its client for as long as it is open.
package final class LimitedStream: ContentStream {
    private let base: any ContentStream
    private let shares: ClientShares
    private let client: ClientKey?
    private let isHeld = Atomic(true)

    /// A stream that is counted in `shares` already.
    ///
    /// The place is given back when the stream is closed, or let go of without that.
    package init(_ base: any ContentStream, of client: ClientKey?, in shares: ClientShares) {
        self.base = base
        self.client = client
        self.shares = shares
    }

    deinit {
        giveBack()
    }

    private func giveBack() {
        if isHeld.exchange(false, ordering: .acquiringAndReleasing) { shares.giveBack(client) }
    }

    package var length: Int? { base.length }

    package var waitingBytes: Int { base.waitingBytes }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        wake: @escaping @Sendable () -> Void
    ) -> StreamRead {
        base.read(into: buffer, wake: wake)
    }

    package func heartbeat() {
        base.heartbeat()
    }

    package func drain() {
        base.drain()
    }

    package func close() {
        giveBack()
        base.close()
    }
}

extension Response {
    /// The same response; its stream counts against the share of a client while it is open.
    ///
    /// - Throws: 429 `client-share` if the share is used up; the stream is closed then.
    package func limited(to shares: ClientShares, client: String?) throws(Problem) -> Response {
        guard case .stream(let stream) = content else { return self }
        let key = client.flatMap { ClientKey($0) }
        guard shares.take(key) else {
            stream.close()
            throw Problem(
                .clientShare,
                "One client may have \(shares.limit) open streams.",
                members: [Problem.Member("limit", shares.limit)],
                fields: [.retryAfter: "5"]
            )
        }
        var response = self
        response.content = .stream(LimitedStream(stream, of: key, in: shares))
        return response
    }
}

import Synchronization

/// A picture while it arrives: collects it, and refuses it as soon as it is known to be none.
package final class PictureDownload: PictureReceiver {
    /// The most pixels that are let through: the largest photos of the library have 89 million.
    package static let pixels = 100_000_000

    private struct State {
        var declared: Int?
        var bytes: [UInt8] = []
        var header: PictureHeader?
    }

    private let state = Mutex(State())

    package init() {}

    package func begin(length: Int?) throws(UpstreamError) {
        if length == 0 { throw .invalid("empty picture") }
        state.withLock { state in
            state.declared = length
            state.bytes.reserveCapacity(length ?? 0)
        }
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        try state.withLock { state throws(UpstreamError) in
            state.bytes.append(contentsOf: bytes)
            guard state.header == nil else { return }
            switch PictureHeader.read(state.bytes) {
            case .header(let header):
                guard header.size.area <= PictureDownload.pixels else {
                    throw .imageRejected(.tooManyPixels(limit: PictureDownload.pixels))
                }
                state.header = header
            case .needsMore where state.bytes.count < PictureHeader.searchedBytes: break
            case .needsMore, .unknownType: throw .invalid("not a picture")
            }
        }
    }

    /// The whole picture, once the transfer has ended well.
    package func finish(now: ContinuousClock.Instant) throws(UpstreamError) -> Picture {
        let state = state.withLock { $0 }
        if state.bytes.isEmpty { throw .invalid("empty picture") }
        if let declared = state.declared, declared != state.bytes.count { throw .invalid("truncated picture") }
        guard let header = state.header else { throw .invalid("not a picture") }
        return Picture(bytes: PictureBytes(state.bytes), type: header.type, size: header.size, fetched: now)
    }
}

import Primitives
import Synchronization

/// A picture while it arrives: collects it, refuses it as soon as it is known to be none, and lets any number of
/// readers follow, each at its own pace.
///
/// A reader that is slow reads later from the same bytes; the fetch never waits for it. Readers may begin once the head
/// has passed: status and length (the transfer's business), type and size in pixels.
package final class PictureDownload: PictureReceiver {
    /// The most pixels that are let through: the largest photos of the library have 89 million.
    package static let pixels = 100_000_000

    /// What readers may begin with.
    package struct Head: Sendable, Equatable {
        package let header: PictureHeader
        /// Nil when the library did not say.
        package let length: Int?
    }

    /// How far the download is.
    package enum Stage: Sendable {
        /// It can be followed.
        case arriving(Head)
        case ended(Result<PictureBytes, UpstreamError>)
    }

    /// What a reader got.
    package enum Copied: Sendable, Equatable {
        case bytes(Int)
        /// There will be more: `wake` is called.
        case pending
        case finished
        case failed
    }

    private struct State {
        var charge: PictureCharge?
        var declared: Int?
        var buffer: PictureBuffer?
        var header: PictureHeader?
        /// The count of bytes at which the header is looked for again.
        var nextLook = 0
        var ending: Result<PictureBytes, UpstreamError>?
        /// Who waits for the head or the end.
        var waiting: [Int: CheckedContinuation<Stage?, Never>] = [:]
        var lastWaiting = 0
        /// Readers that have read everything so far.
        var wakes: [@Sendable () -> Void] = []

        var stage: Stage? {
            if let ending { return .ended(ending) }
            return header.map { .arriving(Head(header: $0, length: declared)) }
        }

        /// Takes everybody who is to hear of news.
        mutating func takeInterested() -> Interested {
            defer { wakes = [] }
            guard let stage else { return Interested(wakes: wakes, waiting: [], stage: nil) }
            defer { waiting = [:] }
            return Interested(wakes: wakes, waiting: Array(waiting.values), stage: stage)
        }
    }

    /// Who is told of news, outside of the lock.
    private struct Interested {
        let wakes: [@Sendable () -> Void]
        let waiting: [CheckedContinuation<Stage?, Never>]
        let stage: Stage?

        func tell() {
            for wake in wakes { wake() }
            for continuation in waiting { continuation.resume(returning: stage) }
        }
    }

    private let state = Mutex(State())
    private let memory: PictureMemory

    /// What a transfer takes before its first byte: its handle, its buffers, and the first bytes of a picture without a
    /// length.
    private static let leastCharge = 65_536

    /// A download whose bytes are charged to `memory`.
    package init(memory: PictureMemory) {
        self.memory = memory
    }

    // MARK: From the library

    /// Reserves the memory that every transfer takes, before the library is asked.
    ///
    /// - Throws: `UpstreamError.overloaded` if it does not fit.
    package func reserve() throws(UpstreamError) {
        let charge = PictureCharge(memory)
        guard charge.resize(to: PictureDownload.leastCharge) else { throw .overloaded }
        state.withLock { $0.charge = charge }
    }

    package func begin(length: Int?) throws(UpstreamError) {
        if length == 0 { throw .invalid("empty picture") }
        try state.withLock { state throws(UpstreamError) in
            state.declared = length
            let charge = state.charge.take() ?? PictureCharge(memory)
            state.buffer = try PictureBuffer(capacity: length ?? PictureDownload.leastCharge, charge: charge)
        }
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        let interested = try state.withLock { state throws(UpstreamError) in
            if let declared = state.declared, (state.buffer?.count ?? 0) + bytes.count > declared {
                throw .invalid("more picture than declared")
            }
            try state.buffer?.append(bytes)
            if state.header == nil { try PictureDownload.readHeader(&state) }
            return state.takeInterested()
        }
        interested.tell()
    }

    /// Looks for the header in what has arrived.
    ///
    /// Each look begins at the first byte, so the next one waits until there is a quarter more: a library that sends
    /// one byte at a time would otherwise have a quarter of a megabyte read as many times as it has bytes.
    private static func readHeader(_ state: inout State) throws(UpstreamError) {
        guard let buffer = state.buffer, buffer.count >= state.nextLook || buffer.count == state.declared
        else { return }
        state.nextLook = buffer.count + max(64, buffer.count / 4)
        switch PictureHeader.read(buffer.bytes) {
        case .header(let header):
            guard header.size.area <= pixels else { throw .imageRejected(.tooManyPixels(limit: pixels)) }
            state.header = header
        case .needsMore where buffer.count < PictureHeader.searchedBytes: break
        case .needsMore, .unknownType: throw .invalid("not a picture")
        }
    }

    /// The transfer has ended, well or with an error.
    ///
    /// Gives the whole picture, which every reader then reads from.
    package func end(
        _ error: UpstreamError?,
        now: ContinuousClock.Instant
    ) throws(UpstreamError) -> Picture {
        let (ending, header, interested) = state.withLock { state in
            let ending = PictureDownload.ending(&state, error)
            state.ending = ending
            // Of a picture that failed nothing is left, however long its readers stay.
            state.buffer = nil
            state.charge = nil
            return (ending, state.header, state.takeInterested())
        }
        interested.tell()
        let bytes = try ending.get()
        guard let header else { throw .invalid("not a picture") }
        return Picture(bytes: bytes, type: header.type, size: header.size, fetched: now)
    }

    private static func ending(_ state: inout State, _ error: UpstreamError?) -> Result<PictureBytes, UpstreamError> {
        if let error { return .failure(error) }
        guard let buffer = state.buffer, buffer.count > 0 else { return .failure(.invalid("empty picture")) }
        if let declared = state.declared, declared != buffer.count { return .failure(.invalid("truncated picture")) }
        if state.header == nil {
            // Without a length, the last look may have been some bytes before the end.
            state.nextLook = 0
            do { try readHeader(&state) } catch { return .failure(error) }
        }
        guard state.header != nil else { return .failure(.invalid("not a picture")) }
        return .success(buffer.finish())
    }

    // MARK: To readers

    /// Waits until readers may begin, or it has ended; nil when the caller's task is cancelled.
    package func stage() async -> Stage? {
        let number = state.withLock { state in
            state.lastWaiting += 1
            return state.lastWaiting
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let stage = state.withLock { state -> Stage?? in
                    if let stage = state.stage { return stage }
                    // The handler below may have run before this.
                    if Task.isCancelled { return .some(nil) }
                    state.waiting[number] = continuation
                    return nil
                }
                if let stage { continuation.resume(returning: stage) }
            }
        } onCancel: {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: number) }
            continuation?.resume(returning: nil)
        }
    }

    /// Copies what there is from `offset` on; after `.pending`, `wake` is called once, from the transfer's thread.
    package func copy(
        from offset: Int,
        into target: UnsafeMutableRawBufferPointer,
        wake: @escaping @Sendable () -> Void
    ) -> Copied {
        state.withLock { state in
            switch state.ending {
            case .success(let bytes):
                return withExtendedLifetime(bytes) {
                    PictureDownload.copy(bytes.buffer, from: offset, into: target)
                }
            case .failure: return .failed
            case nil: break
            }
            if let buffer = state.buffer, buffer.count > offset {
                return PictureDownload.copy(buffer.bytes, from: offset, into: target)
            }
            state.wakes.append(wake)
            return .pending
        }
    }

    private static func copy(
        _ bytes: UnsafeRawBufferPointer,
        from offset: Int,
        into target: UnsafeMutableRawBufferPointer
    ) -> Copied {
        let count = min(bytes.count - offset, target.count)
        guard count > 0 else { return .finished }
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        return .bytes(count)
    }
}

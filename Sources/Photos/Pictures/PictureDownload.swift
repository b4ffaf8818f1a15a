package import PhotoLibrary
package import Primitives
import Synchronization

/// Collects a picture while it arrives, checks it, and lets any number of readers follow at their own pace.
///
/// The transfer never waits for a slow reader, which reads later from the same bytes. Readers may begin once the header
/// has been checked: the type and the size in pixels. The client of the library checks status and length.
package final class PictureDownload: PictureReceiver {
    /// The most pixels that a picture may have: the largest photos of the library have 89 million.
    package static let pixels = 100_000_000

    package typealias Head = (type: PictureType, length: Int)
    package typealias Picture = (bytes: SharedBytes, header: PictureHeader)

    private struct State {
        /// The lease of the client that started the transfer, until it has ended.
        var lease: MemoryLease?
        var declared: Int?
        var buffer: PictureBuffer?
        var header: PictureHeader?
        /// The number of bytes at which the header is searched again.
        var nextSearch = 0
        var ending: Result<SharedBytes, UpstreamError>?
        /// The callbacks of readers that wait for the header, or that have read everything so far.
        var wakes: [@Sendable () -> Void] = []

        /// Nil before the header was found, after the end, and without a length.
        var head: Head? {
            guard ending == nil, let header, let declared else { return nil }
            return (header.type, declared)
        }

        /// Removes the callbacks, to be called outside the lock.
        mutating func takeWakes() -> [@Sendable () -> Void] {
            defer { wakes = [] }
            return wakes
        }
    }

    private let state = Lock(State())
    private let account: MemoryAccount
    /// The memory of the picture: held by the transfer, and by the readers that follow it.
    package let reservation = JointReservation(bytes: PictureDownload.leastBytes)

    /// The bytes that every transfer needs from its start: its handle, its buffers, and the beginning of a picture.
    private static let leastBytes = 65_536

    /// Creates a download; the client that started it pays for its bytes while they arrive.
    package init(account: MemoryAccount) {
        self.account = account
    }

    // MARK: The transfer

    /// Reserves the memory that every transfer needs, before the library is called, or throws `overloaded`.
    package func reserve() throws(UpstreamError) {
        guard let lease = reservation.lease(for: account) else { throw .overloaded }
        state.withLock { $0.lease = lease }
    }

    package func begin(length: Int?) throws(UpstreamError) {
        if length == 0 { throw .invalid("empty picture") }
        try state.withLock { state throws(UpstreamError) in
            // A cancelled transfer may still report received bytes.
            guard state.ending == nil else { throw .cancelled }
            state.declared = length
            state.buffer = try PictureBuffer(capacity: length ?? PictureDownload.leastBytes, reservation: reservation)
        }
    }

    package func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        let wakes = try state.withLock { state throws(UpstreamError) in
            if let declared = state.declared, (state.buffer?.count ?? 0) + bytes.count > declared {
                throw .invalid("more picture than declared")
            }
            try state.buffer?.append(bytes)
            if state.header == nil { try PictureDownload.readHeader(&state) }
            return state.takeWakes()
        }
        for wake in wakes { wake() }
    }

    /// Searches the header in the bytes so far.
    ///
    /// Each search starts at the first byte, so the next one waits for a quarter more bytes. Otherwise each single byte
    /// of a slow library would cost a search of up to a quarter of a megabyte.
    private static func readHeader(_ state: inout State) throws(UpstreamError) {
        guard let buffer = state.buffer, buffer.count >= state.nextSearch || buffer.count == state.declared
        else { return }
        state.nextSearch = buffer.count + max(64, buffer.count / 4)
        switch PictureHeader.read(buffer.bytes) {
        case .header(let header):
            guard header.size.area <= pixels else { throw .imageRejected(.tooManyPixels(limit: pixels)) }
            state.header = header
        case .needsMore where buffer.count < PictureHeader.searchedBytes: break
        case .needsMore, .unknownType: throw .invalid("not a picture")
        }
    }

    /// Ends the download when the transfer has ended, with its error if there is one.
    ///
    /// - Returns: the whole picture, from which all readers then read.
    /// - Throws: the error, or `UpstreamError.invalid` if the bytes are not a whole picture.
    package func end(_ error: UpstreamError?) throws(UpstreamError) -> Picture {
        let (result, wakes) = state.withLock { state in
            let result = PictureDownload.result(&state, error)
            state.ending = result.map { $0.bytes }
            // Releases the bytes of a failed picture while readers still hold the download.
            state.buffer = nil
            state.lease = nil
            return (result, state.takeWakes())
        }
        for wake in wakes { wake() }
        return try result.get()
    }

    private static func result(_ state: inout State, _ error: UpstreamError?) -> Result<Picture, UpstreamError> {
        if let error { return .failure(error) }
        guard let buffer = state.buffer, buffer.count > 0 else { return .failure(.invalid("empty picture")) }
        if let declared = state.declared, declared != buffer.count { return .failure(.invalid("truncated picture")) }
        if state.header == nil {
            // Without a length, the last search may have been some bytes before the end.
            state.nextSearch = 0
            do { try readHeader(&state) } catch { return .failure(error) }
        }
        guard let header = state.header else { return .failure(.invalid("not a picture")) }
        guard header.type.isComplete(buffer.bytes) else { return .failure(.invalid("truncated picture")) }
        return .success((buffer.finish(), header))
    }

    // MARK: The readers

    /// Waits until readers may begin; nil if the download has ended, its length is unknown, or the caller's task is cancelled.
    package func head() async -> Head? {
        while true {
            let arrival = PendingResult<Bool>()
            let (head, waits) = state.withLock { state in
                let waits = state.header == nil && state.ending == nil
                if waits { state.wakes.append { _ = arrival.deliver(true) } }
                return (state.head, waits)
            }
            guard waits, await arrival.value(cancelled: false) else { return head }
        }
    }

    /// Copies the bytes from `offset` on that have arrived; the last one follows after the check of the picture's end.
    ///
    /// - Returns: the number of bytes, 0 at the end; nil if more will arrive, and then the transfer's thread calls `wake`.
    package func copy(
        from offset: Int,
        into target: UnsafeMutableRawBufferPointer,
        wake: @escaping @Sendable () -> Void
    ) throws(UpstreamError) -> Int? {
        func copy(_ bytes: UnsafeRawBufferPointer) -> Int {
            let unread = bytes.dropFirst(offset).prefix(target.count)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: unread))
            return unread.count
        }
        return try state.withLock { state throws(UpstreamError) in
            if let ending = state.ending { return try ending.get().withBytes(copy) }
            // Without its last byte a picture is not complete, so a reader notices that its end was not found.
            if let bytes = state.buffer?.bytes.prefix((state.declared ?? .max) - 1), bytes.count > offset {
                return copy(UnsafeRawBufferPointer(rebasing: bytes))
            }
            state.wakes.append(wake)
            return nil
        }
    }
}

/// The bytes of a picture while they arrive.
///
/// With a declared length, the buffer becomes the complete picture without a copy; without one it grows, and is copied
/// once at the end. Its memory is reserved before it is allocated.
final class PictureBuffer: @unchecked Sendable {
    // Sendable because only `PictureDownload` uses it, behind its lock.
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// The memory of the picture, which the download holds.
    private let reservation: JointReservation

    /// Allocates `capacity` bytes, or throws `overloaded` if they do not fit into the memory budget.
    init(capacity: Int, reservation: JointReservation) throws(UpstreamError) {
        guard reservation.resize(to: capacity) else { throw .overloaded }
        self.reservation = reservation
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes so far; valid until the next `append`.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Appends bytes, in a larger allocation if needed, or throws `overloaded` if there is no memory for that.
    func append(_ new: UnsafeRawBufferPointer) throws(UpstreamError) {
        if count + new.count > storage.count {
            let capacity = max(storage.count * 2, count + new.count)
            guard reservation.resize(to: capacity) else { throw .overloaded }
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: new)
        count += new.count
    }

    /// Returns the bytes, without a copy if they fill the buffer, and is empty afterwards.
    func finish() -> SharedBytes {
        guard count == storage.count else {
            let copy = SharedBytes(bytes, reservation: reservation)
            // A smaller size is never refused.
            _ = reservation.resize(to: count)
            return copy
        }
        defer {
            storage = .allocate(byteCount: 0, alignment: 16)
            count = 0
        }
        return SharedBytes(owning: storage, reservation: reservation)
    }
}

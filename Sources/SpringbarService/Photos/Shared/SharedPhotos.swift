package import Logging
import PhotoFeed
import Primitives
package import SharedState
import Synchronization

/// What replicas share of the photos, in a store outside of the process: pages, details and documents.
///
/// A replica fetches only with a lease of the store, so one replica at a time calls the library for a page. It stores
/// the page, and tells the others through the journal. They install it, so reading needs no call of the store.
package final class SharedPhotos: Sendable {
    let engine: any SharedEngine
    let journal = Mutex(JournalState())
    let makeNonce: @Sendable () -> UInt64
    let pause: @Sendable (Duration) async throws -> Void
    private let faultCount = Atomic(0)
    let logger: Logger

    /// - Parameters:
    ///   - engine: the shared store.
    ///   - logger: gets the faults of the store.
    ///   - makeNonce: makes random numbers, for tokens and versions.
    ///   - pause: waits until a lease is renewed, or is looked at again.
    package init(
        engine: any SharedEngine,
        logger: Logger,
        makeNonce: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.engine = engine
        self.logger = logger
        self.makeNonce = makeNonce
        self.pause = pause
    }

    /// The records that could not be read or stored.
    package var faults: Int { faultCount.load(ordering: .relaxed) }

    func makeVersion() -> SharedVersion { SharedVersion(high: makeNonce(), low: makeNonce()) }

    /// Counts and logs a record that could not be read or stored; the replica goes on without it.
    func note(_ fault: String, _ error: any Error) {
        // The client has left, or the service ends.
        if let error = error as? SharedStateError, error == .cancelled { return }
        faultCount.add(1, ordering: .relaxed)
        logger.error("\(fault)", metadata: ["error": "\(error)"])
    }

    // MARK: Records

    /// Reads a value; nil if it is not a record.
    func record(_ value: SharedValue, _ clocks: ClockPair) -> PhotoRecord? {
        guard !value.content.isEmpty else { return nil }
        guard value.bytes.count <= PhotoRecord.largest else {
            note("a stored page or photo is too large", StoredBytesError.invalidPhoto)
            return nil
        }
        var reader = ByteReader(value.bytes, from: SharedVersion.byteCount)
        do throws(StoredBytesError) {
            return try reader.photoRecord(clocks)
        } catch {
            note("a stored page or photo cannot be read", error)
            return nil
        }
    }

    /// Returns the value of a record.
    func value(_ version: SharedVersion, _ record: PhotoRecord, _ clocks: ClockPair) -> SharedValue {
        var writer = ByteWriter(capacity: 1 << 16)
        writer.put(record, clocks)
        return SharedValue(version, writer.bytes)
    }

    /// Reads the records of some keys, a few at a time; those that are missing or cannot be read are left out.
    func records(_ keys: [SharedKey], _ clocks: ClockPair) async throws(SharedStateError) -> [PhotoRecord] {
        let result = await withTaskGroup(of: Result<PhotoRecord?, SharedStateError>.self) { group in
            var records: [PhotoRecord] = []
            func take(_ result: Result<PhotoRecord?, SharedStateError>?) throws(SharedStateError) {
                if let record = try result?.get() { records.append(record) }
            }
            do throws(SharedStateError) {
                for (index, key) in keys.enumerated() {
                    if index >= SharedPhotos.concurrentReads { try take(await group.next()) }
                    group.addTask { [self] in await read(key, clocks) }
                }
                while let next = await group.next() { try take(next) }
                return Result<[PhotoRecord], SharedStateError>.success(records)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The most reads at one time.
    private static let concurrentReads = 16

    private func read(_ key: SharedKey, _ clocks: ClockPair) async -> Result<PhotoRecord?, SharedStateError> {
        do throws(SharedStateError) {
            return .success(try await engine.read(key).flatMap { record($0, clocks) })
        } catch .refused {
            // The bytes are too few for a version.
            return .success(nil)
        } catch {
            return .failure(error)
        }
    }
}

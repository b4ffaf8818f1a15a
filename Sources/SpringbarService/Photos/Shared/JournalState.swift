import PhotoFeed
import SharedState

/// The journal of the replicas as one of them knows it: the head for appending, and the version that was read.
///
/// The journal is one value of the store. Its log has a ticket for each page and each photo. Its version has a number that
/// grows by one with each ticket. Appending and reading are apart: a writer that loses a race learns the newest version,
/// but not the tickets before it.
struct JournalState: Sendable {
    /// The head of the journal that the last append or its conflict has shown; nil if it is not known.
    private var head: Head?
    /// The version up to which all tickets were read; nil if tickets may be missing.
    private var read: SharedVersion?

    /// The most tickets; an append beyond it drops the oldest.
    static let limit = 10_000

    /// The value of the journal: the number of its tickets.
    fileprivate struct Head: Sendable {
        let version: SharedVersion
        let count: Int

        init(version: SharedVersion, count: Int) {
            self.version = version
            self.count = count
        }

        init?(_ value: SharedValue) {
            var reader = ByteReader(value.bytes, from: SharedVersion.byteCount)
            guard let head = try? reader.head(value.version) else { return nil }
            self = head
        }

        var value: SharedValue {
            var writer = ByteWriter(capacity: 8)
            writer.put(PhotoRecord.format)
            writer.put(number: count)
            return SharedValue(version, writer.bytes)
        }
    }

    // MARK: Appending

    /// The first value of a new journal.
    static func empty(nonce: UInt64) -> SharedValue {
        Head(version: .first(nonce: nonce), count: 0).value
    }

    /// Returns the write that appends a ticket; nil if the head is not known.
    func append(_ ticket: PhotoTicket, nonce: UInt64, note: [UInt8]) -> SharedWrite? {
        guard let head else { return nil }
        let dropping = max(0, head.count + 1 - JournalState.limit)
        let next = Head(version: head.version.next(nonce: nonce), count: head.count + 1 - dropping)
        return SharedWrite(
            base: head.version,
            value: next.value,
            timeToLive: PhotoRecord.timeToLive,
            dropping: dropping,
            appending: [ticket.bytes],
            note: note
        )
    }

    /// Notes the value that the store has; returns false if it cannot be read.
    mutating func found(_ value: SharedValue) -> Bool {
        head = Head(value)
        return head != nil
    }

    /// Notes that the store has no journal, or one that cannot be used.
    mutating func lost() {
        head = nil
    }

    // MARK: Reading

    /// The reaction to a message about the journal.
    enum Step: Sendable {
        /// The notice of the message is the next one.
        case apply
        /// The notice was read before.
        case skip
        /// Tickets are missing: the whole journal must be read.
        case readAll
    }

    /// Decides on a message by its version.
    mutating func received(_ version: SharedVersion) -> Step {
        guard let read else { return .readAll }
        // Messages that arrive while the journal is read are in what was read.
        if version == read || read.follows(version) { return .skip }
        guard version.follows(read), version.high == read.high &+ 1 else { return .readAll }
        self.read = version
        return .apply
    }

    /// Reads the notice of a message, which follows the value of the journal; nil if it cannot be read.
    static func notice(in message: [UInt8], _ clocks: ClockPair) -> PhotoNotice? {
        guard let version = SharedVersion(message) else { return nil }
        var reader = ByteReader(message, from: SharedVersion.byteCount)
        guard (try? reader.head(version)) != nil else { return nil }
        return try? reader.notice(clocks)
    }

    /// Notes the whole journal; returns its tickets, the newest first and each once.
    ///
    /// A ticket that cannot be read, such as one of another version of the service, is left out.
    mutating func readAll(_ entry: SharedEntry?) -> [PhotoTicket] {
        read = entry?.value.version
        var seen: Set<PhotoTicket> = []
        return (entry?.log ?? []).reversed().compactMap { bytes in
            guard let ticket = try? PhotoTicket(bytes), seen.insert(ticket).inserted else { return nil }
            return ticket
        }
    }

    /// Notes that tickets may be missing.
    mutating func interrupted() {
        read = nil
    }
}

extension ByteReader {
    fileprivate mutating func head(_ version: SharedVersion) throws(StoredBytesError) -> JournalState.Head {
        let format = try byte()
        guard format == PhotoRecord.format else { throw .unknownFormat(format) }
        return JournalState.Head(version: version, count: try number())
    }
}

import PhotoFeed
import SharedState

/// An entry of the journal: the names of records that a replica has stored.
enum PhotoTicket: Sendable, Hashable {
    /// Pages of a snapshot.
    case pages([Int], snapshot: UInt64)
    /// The details of a photo, by the name under which they are stored.
    case detail(String)

    /// The keys of the records.
    var keys: [SharedKey] {
        switch self {
        case .pages(let numbers, let snapshot): numbers.map { .page($0, of: snapshot) }
        case .detail(let name): [.detail(name)]
        }
    }
}

/// A message of a replica about new records: their ticket, and the records themselves.
///
/// The journal stores the ticket only.
struct PhotoNotice: Sendable {
    let ticket: PhotoTicket
    /// The records of the ticket, or the first of them if they are large.
    let records: [PhotoRecord]

    /// The most pages in a notice; the others are read.
    static let mostPages = 8
    /// The largest notice with records, in bytes.
    ///
    /// A notice of larger records has only the ticket, and the records are read.
    static let largest = 1 << 20
    /// The largest message of the journal: its value, and a notice.
    static let largestMessage = largest + 1024

    /// The bytes of the notice.
    func bytes(_ clocks: ClockPair) -> [UInt8] {
        var writer = ByteWriter(capacity: 1 << 16)
        writer.put(self, clocks)
        guard writer.bytes.count > PhotoNotice.largest else { return writer.bytes }
        writer = ByteWriter()
        writer.put(PhotoNotice(ticket: ticket, records: []), clocks)
        return writer.bytes
    }
}

extension PhotoTicket {
    /// The bytes of the entry.
    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.put(self)
        return writer.bytes
    }

    /// Reads an entry of the journal.
    init(_ bytes: [UInt8]) throws(StoredBytesError) {
        var reader = ByteReader(bytes)
        self = try reader.ticket()
    }
}

extension ByteWriter {
    mutating func put(_ ticket: PhotoTicket) {
        switch ticket {
        case .pages(let numbers, let snapshot):
            put(UInt8(1))
            put(bits: snapshot)
            put(count: numbers.count)
            for number in numbers { put(number: number) }
        case .detail(let name):
            put(UInt8(2))
            put(name)
        }
    }

    /// Appends a notice: a ticket, the number of its records, and the records.
    mutating func put(_ notice: PhotoNotice, _ clocks: ClockPair) {
        put(notice.ticket)
        put(count: notice.records.count)
        for record in notice.records { put(record, clocks) }
    }
}

extension ByteReader {
    mutating func ticket() throws(StoredBytesError) -> PhotoTicket {
        switch try byte() {
        case 1:
            let snapshot = try bits()
            return .pages(try pageNumbers(), snapshot: snapshot)
        case 2: return .detail(try libraryName())
        case let kind: throw .unknownKind(kind)
        }
    }

    mutating func notice(_ clocks: ClockPair) throws(StoredBytesError) -> PhotoNotice {
        PhotoNotice(
            ticket: try ticket(),
            records: try list(atMost: PhotoNotice.mostPages) { reader throws(StoredBytesError) in
                try reader.photoRecord(clocks)
            }
        )
    }
}

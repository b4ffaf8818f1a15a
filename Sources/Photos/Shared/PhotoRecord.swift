import Primitives
import SharedState

/// A value of the shared store about photos; docs/scaling.md has the keys.
///
/// While a replica fetches, the key has its claim instead.
enum PhotoRecord: Sendable {
    /// A page of the feed with this identity.
    case page(KeptPage, of: String)
    /// The newest snapshot of the feed with this identity, and the pages that it had at first.
    case newest(String, snapshot: UInt64, pages: [Int])
    case detail(Timestamped<PhotoDetail>)
    /// An unchanged answer to a target, for clients that use the library's format.
    case document(Timestamped<LibraryAnswer>, target: String)

    /// The time to live: the age up to which photos are served at all.
    static let timeToLive = Freshness.lists.staleIfError

    /// The version of the format, with which each content begins, and which is part of each key.
    static let format: UInt8 = 3

    /// The largest record that is read, in bytes: as much as an answer of the library.
    static let largest = 4 << 20
    /// The largest document that is stored, in bytes; a list of 30 photos has about 100 kB.
    static let largestDocument = 256 << 10

    /// The bytes of the record; throws an error if a value is outside of the limits that a replica reads.
    func bytes(_ clock: SteadyClock) throws -> [UInt8] {
        var coder = PhotoCoder(clock)
        _ = try coder.record(self)
        return coder.bytes
    }

    init(_ bytes: [UInt8], _ clock: SteadyClock) throws {
        guard bytes.count <= PhotoRecord.largest else { throw StoredBytesError.invalid(reason: "a photo") }
        self = try ByteReader.read(bytes) { (reader: consuming ByteReader) in
            var coder = PhotoCoder(reading: reader, clock)
            return try coder.record(nil)
        }
    }

    fileprivate var kind: UInt8 {
        switch self {
        case .page: 1
        case .newest: 2
        case .detail: 3
        case .document: 4
        }
    }
}

extension SharedKey {
    /// A key with the number of the format, so that replicas of two versions neither read nor replace each other's records.
    static func photos(_ kind: String, _ name: String? = nil) -> SharedKey {
        SharedKey(kind + "\(PhotoRecord.format)" + (name.map { ":" + $0 } ?? ""))
    }

    // These records have their feed or target, so two of the same hash displace each other's record, and no more.

    static func newest(of feed: Feed) -> SharedKey { photos("f", String(SipHash.hash(feed.identity), radix: 16)) }
    static func document(_ target: String) -> SharedKey { photos("u", String(SipHash.hash(target), radix: 16)) }

    static func page(_ number: Int, of snapshot: UInt64) -> SharedKey {
        photos("p", "\(String(snapshot, radix: 16)):\(number)")
    }

    static func detail(_ idOrSlug: String) -> SharedKey { photos("d", idOrSlug) }

    /// The place of a photo: the key of a record that has it.
    static func place(of photo: String) -> SharedKey { photos("x", photo) }

}

extension PhotoCoder {
    /// A record behind its format and its kind.
    mutating func record(_ value: PhotoRecord?) throws -> PhotoRecord {
        let format = try byte(PhotoRecord.format)
        guard format == PhotoRecord.format else { throw StoredBytesError.unknownFormat(format) }
        let kind = try byte(value?.kind)
        switch value {
        case .page(let page, let feed): return try self.page(page, feed)
        case .newest(let feed, let snapshot, let pages): return try newest(feed, snapshot, pages)
        case .detail(let detail): return try self.detail(detail)
        case .document(let document, let target): return try self.document(document, target)
        case nil where kind == 1: return try page(nil, nil)
        case nil where kind == 2: return try newest(nil, nil, nil)
        case nil where kind == 3: return try detail(nil as Timestamped<PhotoDetail>?)
        case nil where kind == 4: return try document(nil, nil)
        case nil: throw StoredBytesError.unknownKind(kind)
        }
    }

    private mutating func page(_ value: KeptPage?, _ feed: String?) throws -> PhotoRecord {
        let feed = try text(feed)
        let page = KeptPage(
            snapshot: try bits(value?.snapshot),
            number: try pageNumber(value?.number),
            photos: try list(value?.photos, atMost: 10_000) { try $0.photo($1) },
            removed: try number(value?.removed, in: 0...Total.limit),
            fetched: try moment(value?.fetched),
            total: try total(value?.total),
            lastPage: try optional(value?.lastPage) { try $0.number($1, in: 0...PhotoCoder.largestPage) }
        )
        return .page(page, of: feed)
    }

    private mutating func newest(_ feed: String?, _ snapshot: UInt64?, _ pages: [Int]?) throws -> PhotoRecord {
        .newest(
            try text(feed),
            snapshot: try bits(snapshot),
            pages: try list(pages, atMost: 10_000) { try $0.pageNumber($1) }
        )
    }

    private mutating func detail(_ value: Timestamped<PhotoDetail>?) throws -> PhotoRecord {
        .detail(Timestamped(value: try detail(value?.value), fetched: try moment(value?.fetched)))
    }

    private mutating func document(_ value: Timestamped<LibraryAnswer>?, _ target: String?) throws -> PhotoRecord {
        let target = try text(target)
        let answer = LibraryAnswer(
            try content(value?.value.content),
            total: try total(value?.value.total.map(Total.bounded))
        )
        return .document(Timestamped(value: answer, fetched: try moment(value?.fetched)), target: target)
    }

    private mutating func total(_ value: Int?) throws -> Int? {
        try optional(value) { try $0.number($1, in: 0...Total.limit) }
    }

    /// The largest number of a page that a cursor has room for.
    private static let largestPage = Int(UInt32.max)

    private mutating func pageNumber(_ value: Int?) throws -> Int { try number(value, in: 1...PhotoCoder.largestPage) }
}

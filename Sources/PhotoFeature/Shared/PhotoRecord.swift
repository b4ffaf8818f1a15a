import PhotoFeed
import Primitives
import SharedState

/// A value of the shared store about photos.
///
/// | key | value |
/// |---|---|
/// | `f2:` and a hash of the feed | the newest snapshot of the feed |
/// | `p2:` snapshot `:` number | a page of a snapshot, which never changes |
/// | `d2:` id or slug | the details of a photo |
/// | `u2:` and a hash of the target | an unchanged document of the library |
///
/// | `x2:` id | the key of a record that has the photo: no record itself |
///
/// The digit is the number of the format. While a replica fetches, the key has its claim instead (`FetchClaim`).
enum PhotoRecord: Sendable {
    case page(KeptPage)
    /// The newest snapshot of a feed, and the pages that it had at first.
    case newest(Feed, snapshot: UInt64, pages: [Int])
    case detail(Timestamped<PhotoDetail>)
    /// An unchanged answer to a target, for clients that use the library's format.
    case document(Timestamped<RawAnswer>, target: String)

    /// The time to live: the age up to which photos are served at all.
    static let timeToLive = Freshness.lists.staleIfError

    /// The version of the format, with which each content begins, and which is part of each key.
    static let format: UInt8 = 2

    /// The largest record that is read, in bytes: as much as an answer of the library.
    static let largest = 4 << 20
    /// The largest document that is stored, in bytes; a list of 30 photos has about 100 kB.
    static let largestDocument = 256 << 10

    /// The bytes of the record.
    func bytes(_ clock: SteadyClock) -> [UInt8] {
        var writer = ByteWriter(capacity: 1 << 16)
        writer.put(self, clock)
        return writer.bytes
    }
}

extension SharedKey {
    /// A key with the number of the format.
    ///
    /// Replicas of two versions of the service with different formats have different keys, so neither removes or replaces
    /// what it cannot read. Each version fetches for its own replicas.
    static func photos(_ kind: String, _ name: String? = nil) -> SharedKey {
        SharedKey(kind + "\(PhotoRecord.format)" + (name.map { ":" + $0 } ?? ""))
    }

    /// The newest snapshot of a feed.
    ///
    /// The record has its feed, so two feeds of the same hash displace each other's record, and no more.
    static func newest(of feed: Feed) -> SharedKey {
        photos("f", String(SipHash.hash(feed.identity), radix: 16))
    }

    static func page(_ number: Int, of snapshot: UInt64) -> SharedKey {
        photos("p", "\(String(snapshot, radix: 16)):\(number)")
    }

    static func detail(_ idOrSlug: String) -> SharedKey {
        photos("d", idOrSlug)
    }

    /// The place of a photo: the key of a record that has it.
    static func place(of photo: String) -> SharedKey {
        photos("x", photo)
    }

    /// The record has its target, so two targets of the same hash displace each other's record, and no more.
    static func document(_ target: String) -> SharedKey {
        photos("u", String(SipHash.hash(target), radix: 16))
    }
}

extension ByteWriter {
    /// Appends a record behind its format and its kind.
    mutating func put(_ record: PhotoRecord, _ clock: SteadyClock) {
        put(PhotoRecord.format)
        switch record {
        case .page(let page):
            put(UInt8(1))
            put(page, clock)
        case .newest(let feed, let snapshot, let pages):
            put(UInt8(2))
            put(feed)
            put(bits: snapshot)
            put(count: pages.count)
            for page in pages { put(number: page) }
        case .detail(let detail):
            put(UInt8(3))
            put(number: clock.time(at: detail.fetched).milliseconds)
            put(detail.value)
        case .document(let document, let target):
            put(UInt8(4))
            put(target)
            put(number: clock.time(at: document.fetched).milliseconds)
            put(document.value.total) { $0.put(number: Total.bounded($1)) }
            put(document.value.hasNext)
            put(document.value.content)
        }
    }

    private mutating func put(_ page: KeptPage, _ clock: SteadyClock) {
        put(page.key.feed)
        put(bits: page.key.snapshot)
        put(number: page.number)
        put(number: clock.time(at: page.fetched).milliseconds)
        put(number: page.removed)
        put(page.total) { $0.put(number: $1) }
        put(page.lastPage) { $0.put(number: $1) }
        put(count: page.photos.count)
        for photo in page.photos { put(photo) }
    }
}

extension ByteReader {
    /// Reads a record with its format and its kind.
    mutating func photoRecord(_ clock: SteadyClock) throws(StoredBytesError) -> PhotoRecord {
        let format = try byte()
        guard format == PhotoRecord.format else { throw .unknownFormat(format) }
        switch try byte() {
        case 1: return .page(try page(clock))
        case 2:
            return .newest(
                try feed(),
                snapshot: try bits(),
                pages: try pageNumbers()
            )
        case 3:
            let fetched = clock.moment(of: WallTime(milliseconds: try number()))
            return .detail(Timestamped(value: try detail(), fetched: fetched))
        case 4:
            let target = try text()
            let fetched = clock.moment(of: WallTime(milliseconds: try number()))
            let total = try flag() ? try number(in: 0...Total.limit) : nil
            let hasNext = try flag()
            let answer = RawAnswer(content: try content(), total: total, hasNext: hasNext)
            return .document(Timestamped(value: answer, fetched: fetched), target: target)
        case let kind: throw .unknownKind(kind)
        }
    }

    private mutating func page(_ clock: SteadyClock) throws(StoredBytesError) -> KeptPage {
        let feed = try feed()
        let key = FeedLibrary.PageKey(feed: feed, snapshot: try bits(), page: try pageNumber())
        let fetched = clock.moment(of: WallTime(milliseconds: try number()))
        let removed = try number(in: 0...Total.limit)
        let total = try flag() ? try number(in: 0...Total.limit) : nil
        let lastPage = try flag() ? try number(in: 0...ByteReader.largestPage) : nil
        return KeptPage(
            key: key,
            photos: try list(atMost: 10_000) { reader throws(StoredBytesError) in try reader.photo() },
            removed: removed,
            fetched: fetched,
            total: total,
            lastPage: lastPage
        )
    }

    /// The largest number of a page that a cursor has room for.
    private static let largestPage = Int(UInt32.max)

    /// Reads the numbers of the pages of a snapshot.
    mutating func pageNumbers() throws(StoredBytesError) -> [Int] {
        try list(atMost: 10_000) { reader throws(StoredBytesError) in try reader.pageNumber() }
    }

    mutating func pageNumber() throws(StoredBytesError) -> Int {
        try number(in: 1...ByteReader.largestPage)
    }
}

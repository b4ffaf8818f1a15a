import Primitives
import TestSupport
import Testing

@testable import BarFeature
@testable import Photos

@Suite("Photos as bytes")
struct PhotoRecordTests {
    private static let present = WallTime(milliseconds: 1_700_000_000_000)
    private static let start = Instant.now
    private static let clock = SteadyClock(origin: present, start: start)

    private static let feeds: [Feed] = [
        .editorial,
        .search("日本 frog"),
        .search("x", orientation: .squarish, color: .blackAndWhite, order: .editorial, contentFilter: .high),
        .topic("nature", order: .popular, orientation: .portrait), .topic("nature", order: .latest, orientation: nil),
        .collection("a-1_b", orientation: .landscape),
    ]

    private static func photo(_ generator: inout SeededGenerator) -> Photo {
        var photo = Photo.sample(Int.random(in: 1...1000, using: &generator))
        if Bool.random(using: &generator) { photo.color = nil }
        if Bool.random(using: &generator) { photo.blurHash = nil }
        photo.writtenDescription = ["日本", nil, "\"a\"\n"].randomElement(using: &generator) ?? nil
        photo.likes = Int.random(in: .min ... .max, using: &generator)
        photo.premium = Bool.random(using: &generator)
        return photo
    }

    private static func page(_ generator: inout SeededGenerator) -> KeptPage {
        KeptPage(
            snapshot: .random(in: .min ... .max, using: &generator),
            number: .random(in: 1...Int(UInt32.max), using: &generator),
            photos: (0..<Int.random(in: 0...31, using: &generator)).map { _ in photo(&generator) },
            removed: .random(in: 0...30, using: &generator),
            fetched: start - .milliseconds(Int.random(in: 0...86_400_000, using: &generator)),
            total: Bool.random(using: &generator) ? nil : .random(in: 0...Total.limit, using: &generator),
            lastPage: Bool.random(using: &generator) ? nil : .random(in: 0...Int(UInt32.max), using: &generator)
        )
    }

    private static func detail(_ generator: inout SeededGenerator) -> Timestamped<PhotoDetail> {
        var detail = PhotoDetail(photo(&generator))
        detail.exif.make = "Canon"
        detail.exif.exposureTime = "1/160"
        detail.exif.iso = Bool.random(using: &generator) ? nil : 100
        detail.location.country = "Costa Rica"
        detail.location.latitude = Bool.random(using: &generator) ? nil : .random(in: -90...90, using: &generator)
        detail.tags = ["frog", "é"]
        detail.views = .max
        return Timestamped(value: detail, fetched: start - .seconds(7))
    }

    private static func bytes(_ record: PhotoRecord) throws -> [UInt8] { try record.bytes(clock) }

    private static func read(_ bytes: [UInt8]) throws -> PhotoRecord { try PhotoRecord(bytes, clock) }

    @Test("records are read as they were written", arguments: 1...40 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let page = Self.page(&generator)
        let identity = (Self.feeds.randomElement(using: &generator) ?? .editorial).identity
        guard case .page(let same, of: identity) = try Self.read(Self.bytes(.page(page, of: identity))) else {
            throw StoredBytesError.invalid(reason: "a photo")
        }
        #expect(same == page)

        let detail = Self.detail(&generator)
        guard case .detail(let sameDetail) = try Self.read(Self.bytes(.detail(detail))) else {
            throw StoredBytesError.invalid(reason: "a photo")
        }
        #expect(sameDetail.value == detail.value)
        #expect(sameDetail.fetched == detail.fetched)

        guard
            case .newest(let feed, let snapshot, let pages) = try Self.read(
                Self.bytes(.newest(identity, snapshot: page.snapshot, pages: [1, 2, 7]))
            )
        else {
            throw StoredBytesError.invalid(reason: "a photo")
        }
        #expect(feed == identity)
        #expect(snapshot == page.snapshot)
        #expect(pages == [1, 2, 7])

        let target = "/photos?page=\(page.number)"
        let document = Timestamped(
            value: LibraryAnswer([0x5B, 0xFF, 0x5D] as [UInt8], total: page.total),
            fetched: Self.start - .seconds(9)
        )
        guard
            case .document(let sameDocument, target: target) = try Self.read(
                Self.bytes(.document(document, target: target))
            )
        else {
            throw StoredBytesError.invalid(reason: "a photo")
        }
        #expect(sameDocument.value == document.value)
        #expect(sameDocument.fetched == document.fetched)
    }

    @Test(
        "bytes that no writer makes are refused or read, and never end the process",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func hostile(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let page = try Self.bytes(.page(Self.page(&generator), of: Feed.editorial.identity))
        let detail = try Self.bytes(.detail(Self.detail(&generator)))
        for bytes in [page, detail] {
            for length in stride(from: 0, to: bytes.count, by: 1 + bytes.count / 300) {
                #expect(throws: StoredBytesError.self) { try Self.read(Array(bytes.prefix(length))) }
            }
            for _ in 0..<300 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(
                        in: .min ... .max,
                        using: &generator
                    )
                }
                use(damaged)
            }
        }
        for _ in 0..<300 {
            let count = Int.random(in: 0...80, using: &generator)
            // The first two bytes lead into each kind of record.
            let noise = (0..<count).map { _ in UInt8.random(in: 0...9, using: &generator) }
            use([PhotoRecord.format, .random(in: 0...4, using: &generator)] + noise)
        }
    }

    /// Reads bytes and installs their pages, as a replica does.
    private func use(_ bytes: [UInt8]) {
        guard case .page(let page, _) = try? Self.read(bytes) else { return }
        var library = FeedLibrary(capacity: 100)
        library.install([page], of: .editorial, now: Self.start)
        let request = FeedLibrary.Request(feed: .editorial, start: .first, limit: 100)
        _ = library.read(request, now: Self.start)
        let key = FeedLibrary.PageKey(feed: .editorial, snapshot: page.snapshot, page: page.number)
        _ = library.need(of: key, now: Self.start)
    }

    @Test("counts that would take much memory are refused, as are records that no replica writes")
    func memory() throws {
        for count in [10_001, 1 << 20] {
            // As many bytes as the count claims.
            let ones = Array(repeating: UInt8(1), count: count)
            var bytes = Array(try Self.bytes(.newest("editorial", snapshot: 7, pages: [])).dropLast())
            var writer = ByteWriter()
            writer.put(number: count)
            bytes += writer.bytes + ones
            #expect(throws: StoredBytesError.invalid(reason: "a photo")) { try Self.read(bytes) }
        }
        let photos = PageReplicas().photos()
        var large = try Self.bytes(.newest("editorial", snapshot: 7, pages: [1]))
        #expect(photos.record(large, now: Self.start) != nil)
        large += Array(repeating: 1, count: PhotoRecord.largest)
        #expect(photos.record(large, now: Self.start) == nil)
        #expect(photos.faults == 1)
    }

    @Test("values outside of their limits are neither written nor read")
    func limits() throws {
        for (path, allowed, text) in [
            (\Photo.hotlinks.raw, "https://x--Set-Cookie: a=b", "https://x\r\nSet-Cookie:_a=b"),
            (\.id, "p123x", "../1x"), (\.id, "p123x", "p1/3x"),
        ] {
            var photo = Photo.sample(1)
            photo[keyPath: path] = text
            var coder = PhotoCoder(Self.clock)
            #expect(throws: StoredBytesError.invalid(reason: "a photo")) { try coder.photo(photo) }
            photo[keyPath: path] = allowed.replacing(" ", with: "_")
            coder = PhotoCoder(Self.clock)
            _ = try coder.photo(photo)
            let bytes = coder.bytes.replacing(Array(photo[keyPath: path].utf8), with: Array(text.utf8))
            #expect(bytes != coder.bytes && bytes.count == coder.bytes.count)
            #expect(throws: StoredBytesError.invalid(reason: "a photo")) {
                try ByteReader.read(bytes) { (reader: consuming ByteReader) in
                    var coder = PhotoCoder(reading: reader, Self.clock)
                    return try coder.photo(nil)
                }
            }
        }
        for (count, isAllowed) in [(16_384, true), (16_385, false)] {
            var photo = Photo.sample(1)
            photo.writtenDescription = String(repeating: "x", count: count)
            var coder = PhotoCoder(Self.clock)
            #expect((try? coder.photo(photo)) == (isAllowed ? photo : nil))
        }
    }

    @Test("feeds have different identities")
    func identities() {
        let searches = ["a/b", "a", "b", "a//b"].map { Feed.search($0) }
        let all = Self.feeds + searches
        #expect(Set(all.map(\.identity)).count == all.count)
    }
}

import Primitives
import TestSupport
import Testing

@testable import Photos

/// Pictures and cursors are external input: any bytes have a value or a refusal as a result.
@Suite("External bytes", .timeLimit(.minutes(2)))
struct HostilePictureTests {
    @Test("headers with changed, missing and repeated bytes", arguments: 0..<20)
    func headers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for sample in PictureHeaderTests.samples {
            for _ in 0..<200 {
                var bytes = sample.bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
                    case 1: bytes.removeSubrange(index...)
                    case 2: bytes.insert(contentsOf: [0xff, 0xff, 0xff, 0xff], at: index)
                    default: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    }
                }
                if case .header(let header) = PictureHeader.read(bytes) {
                    #expect(header.size.width > 0 && header.size.height > 0 && header.size.area > 0)
                }
            }
        }
    }

    @Test("cursors with any position are served, or request a page that can exist", arguments: 0..<20)
    func cursors(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let now = Instant.now
        var library = FeedLibrary(capacity: 1000)
        for _ in 0..<200 {
            let position = FeedSnapshot.Position(
                page: [0, 1, 2, 3, 200, 201, Int(UInt32.max)].randomElement(using: &random) ?? 0,
                index: [0, 1, 29, 30, 31, 65_535].randomElement(using: &random) ?? 0
            )
            let marks = (0..<Int.random(in: 0...61, using: &random)).map { _ in
                UInt32.random(in: 0...0xff_ffff, using: &random)
            }
            let feed: Feed = Bool.random(using: &random) ? .editorial : .search("a")
            let made = PageCursor(
                snapshot: UInt64.random(in: 6...8, using: &random),
                fetched: WallTime(milliseconds: .random(in: 0..<1 << 48, using: &random)),
                position: position,
                marks: marks
            )
            guard let cursor = PageCursor(made.text(for: feed), for: feed) else { continue }
            let request = FeedLibrary.Request(feed: feed, start: .cursor(cursor, fetched: now), limit: 100)
            switch library.read(request, now: now) {
            case .slice(let slice, _): #expect(slice.photos.count <= 100)
            case .fetch(let pageKey):
                #expect(pageKey.page >= 1)
                let page: FeedPage = (photos: [], total: 0, hasNext: Bool.random(using: &random))
                library.insert(page, for: pageKey, fetched: now, id: 7, now: now)
            }
            _ = library.fallback(for: request, now: now)
        }
    }
}

import PhotoLibrary
import Photos
import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

/// A server that has lost the rest of a file may declare the length of the beginning.
@Suite("The ends of pictures")
struct PictureEndTests {
    private static let box = PictureHeaderTests.box

    private static let jpeg: [UInt8] =
        [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 10, 0, 20, 3] + [UInt8](repeating: 0x5a, count: 600) + [0xff, 0xd9]
    private static let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)
    private static let webp: [UInt8] =
        Array("RIFF".utf8) + [122, 0, 0, 0] + Array("WEBPVP8X".utf8)
        + [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x03, 0, 0x57, 0x02, 0] + [UInt8](repeating: 7, count: 100)
    private static let avif: [UInt8] =
        box("ftyp", Array("avif".utf8) + [0, 0, 0, 0] + Array("avif".utf8))
        + box("meta", [0, 0, 0, 0] + box("iprp", box("ipco", box("ispe", [0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 3, 1]))))
        + box("mdat", [UInt8](repeating: 7, count: 100))

    /// Downloads bytes with their own length.
    private func end(_ bytes: [UInt8]) throws(UpstreamError) -> PictureType {
        let download = PictureDownload(account: MemoryAccount(.unlimited))
        try download.begin(length: bytes.count)
        let part = SharedBytes(bytes)
        try download.receive(part.buffer)
        return try download.end(nil).header.type
    }

    @Test(
        "a picture without its end is refused, even if its length is as declared",
        arguments: [(PictureType.jpeg, jpeg), (.png, png), (.webp, webp), (.avif, avif)]
    )
    func ends(type: PictureType, bytes: [UInt8]) throws {
        #expect(try end(bytes) == type)
        for missing in [1, 2, 13, 40] {
            let part = Array(bytes.dropLast(missing))
            #expect(throws: UpstreamError.invalid("truncated picture"), "\(missing)") { try end(part) }
        }
    }

    @Test("the last byte is sent after the end was found, and not of a picture without it", arguments: [0, 1, 13])
    func lastByte(missing: Int) throws {
        let bytes = Array(Self.jpeg.dropLast(missing))
        let download = PictureDownload(account: MemoryAccount(.unlimited))
        try download.begin(length: bytes.count)
        let part = SharedBytes(bytes)
        try download.receive(part.buffer)
        let target = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { target.deallocate() }
        let wakes = Lock(0)
        func copy(from offset: Int) throws(UpstreamError) -> Int? {
            try download.copy(from: offset, into: target) { wakes.withLock { $0 += 1 } }
        }
        #expect(try copy(from: 0) == bytes.count - 1)
        #expect(try copy(from: bytes.count - 1) == nil)
        let isWhole = (try? download.end(nil)) != nil
        #expect(isWhole == (missing == 0) && wakes.withLock { $0 } == 1)
        if isWhole {
            #expect(try copy(from: bytes.count - 1) == 1)
        } else {
            #expect(throws: UpstreamError.invalid("truncated picture")) { try copy(from: bytes.count - 1) }
        }
    }

    @Test("bytes behind the end are allowed in the formats that mark it")
    func trailers() throws {
        #expect(try end(Self.jpeg + [0x0a, 0]) == .jpeg)
        #expect(try end(Self.png + [UInt8](repeating: 0, count: 5000)) == .png)
        #expect(try end(Self.webp + [0]) == .webp)
    }

    @Test("a box without content, such as padding, is whole")
    func emptyBox() throws {
        #expect(try end(Self.avif + Self.box("free", [])) == .avif)
        #expect(throws: UpstreamError.invalid("truncated picture")) { try end(Self.avif + [0, 0, 0, 7, 0, 0, 0, 0]) }
    }

    @Test("any lengths of segments, chunks and boxes are read without a trap", arguments: 0..<20)
    func hostile(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for bytes in [Self.png, Self.webp, Self.avif] + PictureHeaderTests.samples.map(\.bytes) {
            for _ in 0..<200 {
                var bytes = bytes
                let index = Int.random(in: 2..<bytes.count - 4, using: &random)
                let number = [UInt8](repeating: [0, 0x7f, 0xff].randomElement(using: &random) ?? 0, count: 4)
                bytes.replaceSubrange(index..<index + 4, with: number)
                _ = try? end(bytes)
                _ = try? end(Array(bytes.dropLast(Int.random(in: 0...bytes.count / 2, using: &random))))
            }
        }
    }
}

import Network
import PhotoLibrary
import Photos
import PictureCoding
import Primitives
import TestSupport
import Testing

@Suite("The memory of pictures")
struct PictureMemoryTests {
    private static let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)

    private func send(_ bytes: [UInt8], to download: PictureDownload, length: Int?) throws(UpstreamError) {
        try download.begin(length: length)
        let part = SharedBytes(bytes)
        try download.receive(part.buffer)
    }

    @Test("a picture is paid by its first client while it arrives, and then by its readers")
    func download() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let one = MemoryAccount(budget, client: ClientKey("192.0.2.1"))
        let other = MemoryAccount(budget, client: ClientKey("192.0.2.2"))
        let picture: SharedBytes
        var reader: MemoryLease?
        do {
            let download = PictureDownload(account: one)
            try download.reserve()
            #expect(budget.bytes == 65_536)
            try send(Self.png, to: download, length: Self.png.count)
            #expect(budget.bytes == Self.png.count)
            #expect(!budget.fits(1 << 19, for: one.client) && budget.fits(1 << 19, for: other.client))
            reader = download.reservation.lease(for: other)
            picture = try download.end(nil).bytes
            #expect(budget.bytes == Self.png.count, "the reader holds the bytes")
            #expect(budget.fits(1 << 19, for: one.client) && !budget.fits(1 << 19, for: other.client))
        }
        #expect(reader != nil)
        reader = nil
        #expect(budget.bytes == 0, "a picture without readers belongs to the cache")
        reader = picture.reservation?.lease(for: one)
        #expect(reader != nil && budget.bytes == Self.png.count)
    }

    @Test("a picture without a length is reserved as it grows, and at the end by its size")
    func growing() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let account = MemoryAccount(budget)
        let download = PictureDownload(account: account)
        try download.reserve()
        try send(Self.png + [UInt8](repeating: 7, count: 100_000), to: download, length: nil)
        #expect(budget.bytes >= 100_000)
        let reader = try #require(download.reservation.lease(for: account))
        let picture = try download.end(nil).bytes
        #expect(budget.bytes == picture.count)
        withExtendedLifetime(reader) {}
    }

    @Test("a picture that does not fit is refused before its bytes are stored, with a length and without")
    func refusals() throws {
        let budget = MemoryBudget(limit: 80_000)
        let account = MemoryAccount(budget)
        let declared = PictureDownload(account: account)
        try declared.reserve()
        #expect(throws: UpstreamError.overloaded) { try declared.begin(length: 80_000) }
        #expect(throws: UpstreamError.overloaded) { try declared.end(.overloaded) }
        #expect(budget.bytes == 0)
        let growing = PictureDownload(account: account)
        try growing.reserve()
        let second = PictureDownload(account: account)
        #expect(throws: UpstreamError.overloaded) { try second.reserve() }
        #expect(throws: UpstreamError.overloaded) {
            try send(Self.png + [UInt8](repeating: 7, count: 80_000), to: growing, length: nil)
        }
        #expect(throws: UpstreamError.overloaded) { try growing.end(.overloaded) }
        #expect(budget.bytes == 0)
    }

    @Test("a failed download releases its bytes even if the download itself is still referred to")
    func failed() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let download = PictureDownload(account: MemoryAccount(budget))
        try download.reserve()
        try send(Self.png, to: download, length: 500_000)
        #expect(budget.bytes == 500_000)
        #expect(throws: UpstreamError.timedOut) { try download.end(.timedOut) }
        #expect(budget.bytes == 0)
    }

    /// An earlier version read each byte 130,000 times if a quarter of a megabyte arrived byte by byte.
    @Test("a header that arrives byte by byte is found with few searches")
    func byteByByte() throws {
        for filler in [0, 50_000, 200_000] {
            let head: [UInt8] = [0xff, 0xd8] + [UInt8](repeating: 0xff, count: filler)
            let bytes = head + [0xff, 0xc0, 0, 17, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3, 0xff, 0xd9]
            for length in [nil, bytes.count] {
                let download = PictureDownload(account: MemoryAccount(.unlimited))
                try download.begin(length: length)
                let time = try processorTime {
                    for byte in bytes {
                        let part = SharedBytes([byte])
                        try download.receive(part.buffer)
                    }
                }
                #expect(try download.end(nil).header.size == PixelSize(width: 4000, height: 3000))
                // A search at every one of 200,000 bytes would take 2 × 10¹⁰ steps.
                #expect(time < .seconds(10))
            }
        }
    }
}

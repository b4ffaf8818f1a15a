import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import PhotoFeed

@Suite("PictureMemory")
struct PictureMemoryTests {
    private static let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)

    private func send(_ bytes: [UInt8], to download: PictureDownload, length: Int?) throws(UpstreamError) {
        try download.begin(length: length)
        let part = PictureBytes(bytes)
        try download.receive(part.buffer)
    }

    @Test("pictures take at most three quarters of the budget, and a refused one is not charged")
    func share() {
        let budget = MemoryBudget(limit: 1000)
        let memory = PictureMemory(budget)
        #expect(memory.limit == 750)
        #expect(memory.reserve(750))
        #expect(!memory.reserve(1))
        #expect(memory.bytes == 750 && budget.bytes == 750)
        memory.release(750)
        #expect(budget.reserve(400))
        #expect(!memory.reserve(601))
        #expect(memory.reserve(600))
        #expect(memory.bytes == 600 && budget.bytes == 1000)
    }

    @Test("unlimited memory refuses no possible picture")
    func unlimited() {
        let memory = PictureMemory.unlimited
        #expect(memory.reserve(1 << 40))
        #expect(memory.reserve(1 << 40))
    }

    /// The charge follows a plain rule, for every order of entering and leaving caches.
    @Test("a picture is charged whenever no cache holds it", arguments: 0..<50)
    func account(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let budget = MemoryBudget(limit: 100)
        let memory = PictureMemory(budget)
        do {
            let charge = PictureCharge(memory)
            #expect(charge.resize(to: 60))
            var entries = 0
            for _ in 0..<200 {
                if entries == 0 || Bool.random(using: &random) {
                    charge.enterCache()
                    entries += 1
                } else {
                    charge.leaveCache()
                    entries -= 1
                }
                #expect(charge.bytes == (entries == 0 ? 60 : 0))
                #expect(budget.bytes == charge.bytes && memory.bytes == charge.bytes)
            }
        }
        #expect(budget.bytes == 0 && memory.bytes == 0)
    }

    @Test("a picture is charged from before its first byte until its last owner is released")
    func download() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let memory = PictureMemory(budget)
        var picture: Picture?
        do {
            let download = PictureDownload(memory: memory)
            try download.reserve()
            #expect(budget.bytes == 65_536)
            try send(Self.png, to: download, length: Self.png.count)
            #expect(budget.bytes == Self.png.count)
            picture = try download.end(nil, now: .now)
            #expect(budget.bytes == Self.png.count)
        }
        #expect(budget.bytes == Self.png.count, "the picture holds the bytes")
        picture = nil
        #expect(picture == nil && budget.bytes == 0)
    }

    @Test("a picture without a length is charged as it grows, and at the end by its size")
    func growing() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let download = PictureDownload(memory: PictureMemory(budget))
        try download.reserve()
        try send(Self.png + [UInt8](repeating: 7, count: 100_000), to: download, length: nil)
        #expect(budget.bytes >= 100_000)
        let picture = try download.end(nil, now: .now)
        #expect(budget.bytes == picture.bytes.count)
    }

    @Test("a picture above the limit is refused before its bytes are stored, with a length and without")
    func refusals() throws {
        let budget = MemoryBudget(limit: 100_000)
        let memory = PictureMemory(budget)
        let declared = PictureDownload(memory: memory)
        try declared.reserve()
        #expect(throws: UpstreamError.overloaded) { try declared.begin(length: 80_000) }
        #expect(throws: UpstreamError.overloaded) { try declared.end(.overloaded, now: .now) }
        #expect(budget.bytes == 0)
        let growing = PictureDownload(memory: memory)
        try growing.reserve()
        let second = PictureDownload(memory: memory)
        #expect(throws: UpstreamError.overloaded) { try second.reserve() }
        #expect(throws: UpstreamError.overloaded) {
            try send(Self.png + [UInt8](repeating: 7, count: 80_000), to: growing, length: nil)
        }
        #expect(throws: UpstreamError.overloaded) { try growing.end(.overloaded, now: .now) }
        #expect(budget.bytes == 0)
    }

    @Test("a failed download releases its bytes even if readers still hold it")
    func failed() throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let download = PictureDownload(memory: PictureMemory(budget))
        try download.reserve()
        try send(Self.png, to: download, length: 500_000)
        #expect(budget.bytes == 500_000)
        #expect(throws: UpstreamError.timedOut) { try download.end(.timedOut, now: .now) }
        #expect(budget.bytes == 0)
    }

    /// An earlier version read each byte 130,000 times if a quarter of a megabyte arrived byte by byte.
    @Test("a header that arrives byte by byte is found with few searches")
    func byteByByte() throws {
        for filler in [0, 50_000, 200_000] {
            let head: [UInt8] = [0xff, 0xd8] + [UInt8](repeating: 0xff, count: filler)
            let bytes = head + [0xff, 0xc0, 0, 17, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3]
            for length in [nil, bytes.count] {
                let download = PictureDownload(memory: .unlimited)
                try download.begin(length: length)
                let start = ContinuousClock.now
                for byte in bytes {
                    let part = PictureBytes([byte])
                    try download.receive(part.buffer)
                }
                let picture = try download.end(nil, now: .now)
                #expect(picture.size == PixelSize(width: 4000, height: 3000))
                // A search at every one of 200,000 bytes would take 2 × 10¹⁰ steps.
                #expect(ContinuousClock.now - start < .seconds(10))
            }
        }
    }
}

import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed
import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Pictures within the memory budget")
struct PictureMemoryHTTPTests {
    private static let picture =
        PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)
        + [UInt8](repeating: 7, count: 200_000)

    private func fixture(_ memory: MemoryBudget, cache: Int = 1 << 20) async throws -> PhotoFixture {
        let fixture = try PhotoFixture(imageCacheBytes: cache, memory: memory)
        fixture.library.set { $0.picture = Self.picture }
        _ = try await fixture.get("/v1/photos")
        return fixture
    }

    private func begin(_ fixture: PhotoFixture, _ photo: Int) async throws -> Response {
        let target = Target("/v1/photos/p\(photo)/image/thumb")
        return switch fixture.application.respond(to: Request(method: .get, target: target)) {
        case .now(let response): response
        case .later(let work): try await work()
        }
    }

    @Test("stalled readers take three quarters of the budget; the next picture is a 503 without a call")
    func stalledReaders() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        let fixture = try await fixture(memory)
        var held: [Response] = []
        var refused: Response?
        for photo in 1...40 where refused == nil {
            let response = try await begin(fixture, photo)
            if response.status == .ok { held.append(response) } else { refused = response }
            await fixture.land()
        }
        #expect(refused?.status == .serviceUnavailable)
        #expect(refused?.fields[.retryAfter] == "1")
        #expect(held.count == 3, "of 200 kB each, in 786 kB")
        let calls = fixture.library.pictureCalls.count
        for photo in 10...15 {
            #expect(try await fixture.get("/v1/photos/p\(photo)/image/thumb").status == .serviceUnavailable)
        }
        #expect(fixture.library.pictureCalls.count <= calls + 6)
        #expect(memory.bytes <= memory.limit * 3 / 4)
        for response in held { if case .stream(let stream) = response.content { stream.close() } }
        held = []
        await fixture.land()
        #expect(memory.bytes == 0)
        #expect(try await fixture.get("/v1/photos/p20/image/thumb").status == .ok)
    }

    @Test("a cached picture is not charged, and an evicted one with readers is")
    func evicted() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        // One entry may have a tenth of the cache.
        let fixture = try await fixture(memory, cache: 2_100_000)
        let first = try await begin(fixture, 1)
        await fixture.land()
        #expect(fixture.service.status.imageEntries == 1)
        #expect(memory.bytes == 0)
        for photo in 2...30 { _ = try await fixture.get("/v1/photos/p\(photo)/image/thumb") }
        await fixture.land()
        #expect(fixture.service.pictures.withLock { $0.peek(PictureKey(photo: "p1", transform: .init(.thumb))) } == nil)
        #expect(memory.bytes == Self.picture.count)
        #expect(await first.read().body == Self.picture)
    }

    @Test("without memory the library is not called, and the response has Retry-After")
    func exhausted() async throws {
        let memory = MemoryBudget(limit: 1 << 20)
        let fixture = try await fixture(memory, cache: 3_000_000)
        memory.charge(1 << 20)
        let response = try await fixture.get("/v1/photos/p1/image/thumb")
        #expect(response.status == .serviceUnavailable)
        #expect(response.fields[.retryAfter] == "1")
        #expect(try response.json()["type"].string() == "/problems/overloaded")
        #expect(fixture.library.pictureCalls.isEmpty)
        memory.release(1 << 20)
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .ok)
        await fixture.land()
        memory.charge(1 << 20)
        fixture.wait(.seconds(604_801))
        let stale = try await fixture.get("/v1/photos/p1/image/thumb")
        #expect(stale.status == .ok)
        #expect(stale.fields[.cacheStatus] == "photos; fwd=stale; detail=overloaded")
    }

    @Test("every response with a picture or placeholder has nosniff")
    func noSniffing() async throws {
        let fixture = try await fixture(.unlimited)
        for target in [
            "/v1/photos/p1/image/thumb", "/v1/photos/p1/image/thumb", "/v1/photos/p1/image?w=400&fm=auto",
            "/v1/photos/p1/placeholder.png",
        ] {
            #expect(try await fixture.get(target).fields[.xContentTypeOptions] == "nosniff")
            await fixture.land()
        }
        let part = try await fixture.get("/v1/photos/p1/image/thumb", fields: [.range: "bytes=0-9"])
        #expect(part.fields[.xContentTypeOptions] == "nosniff")
    }

    @Test(
        "the automatic format depends on the weights of Accept",
        arguments: [
            ("image/avif,image/webp,*/*;q=0.8", "avif"), ("image/avif;q=0,image/webp,*/*", "webp"),
            ("image/avif;q=0, */*", "jpg"), ("image/avif;q=0.000,image/webp;q=0", "406"),
            ("image/avif;q=0.5,image/webp;q=0.9", "webp"), ("image/avif;q=0.1,image/*", "jpg"),
            ("image/webp;q=0.2,image/jpeg;q=0.1", "webp"), ("image/png", "png"), ("*/*", "jpg"), ("image/*", "jpg"),
            ("IMAGE/AVIF", "avif"), ("image/avifx", "jpg"), ("text/html", "406"), ("image/*;q=0,*/*", "406"),
            ("image/avif;q=2, image/webp", "webp"),
        ]
    )
    func formats(accept: String, format: String) async throws {
        let fixture = try await fixture(.unlimited)
        let response = try await fixture.get("/v1/photos/p1/image?w=400&fm=auto", fields: [.accept: accept])
        guard format != "406" else { return #expect(response.status.code == 406) }
        #expect(response.status == .ok)
        #expect(fixture.library.pictureCalls.last?.contains("&fm=\(format)&") == true)
        #expect(response.fields[.vary] == "Accept")
    }

    @Test(
        "Accept is ignored if the format is not negotiated",
        arguments: [
            "/v1/photos/p1/image/thumb", "/v1/photos/p1/image?w=400", "/v1/photos/p1/image?w=400&fm=png",
            "/v1/photos/p1/placeholder.png",
        ]
    )
    func fixedFormats(target: String) async throws {
        let fixture = try await fixture(.unlimited)
        let response = try await fixture.get(target, fields: [.accept: "application/problem+json"])
        #expect(response.status == .ok)
        #expect(response.fields[.vary] == nil)
    }

    @Test("a placeholder without a blur has the requested size, too")
    func plainPlaceholder() async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.hasBlurHashes = false }
        _ = try await fixture.get("/v1/photos")
        for (query, width, height) in [("", 32, 24), ("?w=8", 8, 6), ("?w=5&h=64", 5, 64), ("?w=64&h=64", 64, 64)] {
            let response = try await fixture.get("/v1/photos/p1/placeholder.png\(query)")
            let size = PixelSize(width: width, height: height)
            #expect(PictureHeader.read(response.body) == .header(PictureHeader(type: .png, size: size)))
            #expect(response.body.count < 13_000)
        }
    }
}

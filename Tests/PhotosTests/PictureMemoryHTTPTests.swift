import HTTPExchange
import HTTPTypes
import Network
import PictureCoding
import Primitives
import ServiceHarness
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary
@testable import Photos

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

    /// A request of a client that has not read its response yet, and the memory that this takes.
    private struct Reading {
        let response: Response
        let memory: RequestMemory
    }

    private func begin(_ fixture: PhotoFixture, _ photo: Int, _ budget: MemoryBudget) async throws -> Reading {
        let request = Request(method: .get, target: Target("/v1/photos/p\(photo)/image/thumb"))
        let memory = RequestMemory(MemoryAccount(budget, client: ClientKey("192.0.2.1")))
        let response = try await fixture.application.respond(to: request, memory: memory).value()
        return Reading(response: response, memory: memory)
    }

    @Test("stalled readers of a client take its share; its next picture is a 503, and another client gets one")
    func stalledReaders() async throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let fixture = try await fixture(budget)
        var held: [Reading] = []
        var refused: Response?
        for photo in 1...40 where refused == nil {
            let reading = try await begin(fixture, photo, budget)
            if reading.response.status == .ok { held.append(reading) } else { refused = reading.response }
            await fixture.settle()
        }
        #expect(refused?.status == .serviceUnavailable)
        #expect(refused?.fields[.retryAfter] == "1")
        #expect(held.count == 2, "of 200 kB each, in half of a megabyte")
        #expect(budget.bytes <= budget.limit / 2)
        let calls = fixture.library.pictureCalls.count
        for photo in 10...15 { #expect(try await begin(fixture, photo, budget).response.status == .serviceUnavailable) }
        #expect(fixture.library.pictureCalls.count <= calls + 6)
        #expect(try await fixture.get("/v1/photos/p20/image/thumb").status == .ok)
        for reading in held { reading.response.content.release() }
        held = []
        await fixture.settle()
        #expect(budget.bytes == 0)
        #expect(try await begin(fixture, 21, budget).response.status == .ok)
    }

    @Test("if the first client has no memory and the second fetch fails, both get the old picture")
    func secondFetch() async throws {
        let budget = MemoryBudget(limit: 1 << 20)
        let fixture = try await fixture(budget, cache: 3_000_000)
        #expect(try await fixture.get("/v1/photos/p1/image/thumb").status == .ok)
        await fixture.settle()
        fixture.wait(Freshness.pictures)
        fixture.library.set { $0.declaredLength = 2 << 20 }
        fixture.library.close()
        async let first = begin(fixture, 1, budget)
        try await waitUntil { fixture.service.pictureFlights.waiters == 1 }
        async let second = begin(fixture, 1, budget)
        try await waitUntil { fixture.service.pictureFlights.waiters == 2 }
        fixture.library.open()
        for response in try await [first.response, second.response] {
            #expect(response.status == .ok)
            #expect(response.fields[.cacheStatus] == "photos; fwd=stale; detail=overloaded")
        }
        #expect(fixture.library.pictureCalls.count >= 3)
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
}

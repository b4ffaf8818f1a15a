import FakeLibrary
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

/// What no suite notices that uses the fake: LibraryFaultsTests has the other faults.
@Suite("The fake library")
struct FakeLibraryTests {
    private let library: LibraryServer

    init() {
        var configuration = LibraryServer.Configuration()
        configuration.pictureBytes = 1000
        library = LibraryServer(configuration)
    }

    private func get(_ target: String, key: String? = "k") async throws -> Response {
        var fields: Fields = [.host: "library.test"]
        fields[.authorization] = key.map { "Client-ID \($0)" }
        return try await library.respond(to: Request(method: .get, target: Target(target), fields: fields)).value()
    }

    @Test("pictures that are requested with a key or without an ixid are counted")
    func counters() async throws {
        _ = try await get("/photos")
        _ = try await get("/images/x?ixid=1", key: nil)
        _ = try await get("/images/x?w=1", key: "leaked")
        #expect(library.counts.apiRequests == 1 && library.counts.imageRequests == 2)
        #expect(library.counts.imagesWithoutIxid == 1 && library.counts.imagesWithKey == 1)
        #expect(library.targets == ["/photos", "/images/x?ixid=1", "/images/x?w=1"])
    }

    @Test("a fault with `containing` affects only matching requests")
    func containing() async throws {
        library.faults.add(
            Fault(.serverError, on: .api, count: 1) { fault in (fault.containing, fault.status) = ("page=3", 502) }
        )
        var statuses: [Int] = []
        for page in [2, 3, 3] { statuses.append(try await get("/photos?page=\(page)").status.code) }
        #expect(statuses == [200, 502, 200])
    }
}

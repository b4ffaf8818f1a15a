import FakeLibrary
import Foundation
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

    /// Returns the ids of a list or of a search.
    private func ids(_ target: String) async throws -> [String] {
        guard case .bytes(let bytes) = try await get(target).content else { return [] }
        let document = try JSONSerialization.jsonObject(with: Data(bytes))
        let photos = document as? [[String: Any]] ?? (document as? [String: Any])?["results"] as? [[String: Any]]
        return try #require(photos).compactMap { $0["id"] as? String }
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

    @Test("a shift makes the next page begin with the end of the previous one, a given number of times")
    func shift() async throws {
        library.faults.add(Fault(.listShift, on: .api, count: 1) { $0.photos = 3 })
        let first = try await ids("/photos?page=1")
        let second = try await ids("/photos?page=2")
        #expect(Array(second.prefix(3)) == Array(first.suffix(3)))
        #expect(library.photoIDs.count == 903)
        #expect(try await Set(second).isDisjoint(with: ids("/photos?page=3")))
    }

    @Test("duplicates are on two pages and twice on one page, and the pages keep their sizes")
    func duplicates() async throws {
        let before = try await ids("/photos?page=1")
        library.faults.add(Fault(.duplicates, on: .api) { $0.across = 2 })
        let first = try await ids("/photos?page=1")
        #expect(first[1] == first[0] && first[0] == before[0] && first.count == 10)
        let second = try await ids("/photos?page=2")
        #expect(second[0] == before[8] && second[1] == second[0] && second.count == 10)
        let search = try await ids("/search/photos?query=sea")
        #expect(search[0] == search[1])
        library.faults.clear()
        #expect(try await ids("/photos?page=1") == before)
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

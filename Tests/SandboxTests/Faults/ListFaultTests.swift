import Sandbox
import Testing

@Suite("Faults of lists")
struct ListFaultTests {
    private let sandbox = SandboxLibrary(clock: ManualClock())

    private func ids(_ target: String) async throws -> [String] {
        try await sandbox.ask(target).list().map { try JSONShape.text($0["id"]) }
    }

    @Test("a shift makes the next page begin with the end of the previous one, a given number of times")
    func shift() async throws {
        sandbox.faults.add(Fault(.listShift, on: .api, ["photos": 3], count: 1))
        let first = try await ids("/photos?page=1")
        let second = try await ids("/photos?page=2")
        #expect(Array(second.prefix(3)) == Array(first.suffix(3)))
        #expect(sandbox.photoIDs.count == 903)
        let third = try await ids("/photos?page=3")
        #expect(Set(second).isDisjoint(with: third))
    }

    @Test("duplicates are on two pages and twice on one page, and the pages keep their sizes")
    func duplicates() async throws {
        let before = try await ids("/photos?page=1")
        sandbox.faults.add(Fault(.duplicates, on: .api, ["across": 2]))
        let first = try await ids("/photos?page=1")
        #expect(first[1] == first[0] && first[0] == before[0] && first.count == 10)
        let second = try await ids("/photos?page=2")
        #expect(second[0] == before[8] && second[1] == second[0] && second.count == 10)
        let search = try await JSONShape.list(sandbox.ask("/search/photos?query=sea").object()["results"])
        #expect(search[0]["id"] as? String == search[1]["id"] as? String)
        sandbox.faults.clear()
        #expect(try await ids("/photos?page=1") == before)
    }

    @Test("a fault with `containing` affects only matching requests")
    func containing() async throws {
        sandbox.faults.add(Fault(.serverError, on: .api, ["status": 502], count: 1, containing: "page=3"))
        #expect(try await sandbox.ask("/photos?page=2").status == 200)
        #expect(try await sandbox.ask("/photos?page=3").status == 502)
        #expect(try await sandbox.ask("/photos?page=3").status == 200)
        #expect(sandbox.faults.active.isEmpty)
    }
}

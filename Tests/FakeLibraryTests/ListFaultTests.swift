import FakeLibrary
import TestSupport
import Testing

@Suite("Faults of lists")
struct ListFaultTests {
    @Test("a shift makes the next page begin with the end of the previous one, a given number of times")
    func shift() async throws {
        try await RunningLibrary.run { running in
            running.library.faults.add(Fault(.listShift, on: .api, count: 1, photos: 3))
            let first = try running.ids("/photos?page=1")
            let second = try running.ids("/photos?page=2")
            #expect(Array(second.prefix(3)) == Array(first.suffix(3)))
            #expect(running.library.photoIDs.count == 903)
            #expect(try Set(second).isDisjoint(with: running.ids("/photos?page=3")))
        }
    }

    @Test("duplicates are on two pages and twice on one page, and the pages keep their sizes")
    func duplicates() async throws {
        try await RunningLibrary.run { running in
            let before = try running.ids("/photos?page=1")
            running.library.faults.add(Fault(.duplicates, on: .api, across: 2))
            let first = try running.ids("/photos?page=1")
            #expect(first[1] == first[0] && first[0] == before[0] && first.count == 10)
            let second = try running.ids("/photos?page=2")
            #expect(second[0] == before[8] && second[1] == second[0] && second.count == 10)
            let search = try running.ids("/search/photos?query=sea")
            #expect(search[0] == search[1])
            running.library.faults.clear()
            #expect(try running.ids("/photos?page=1") == before)
        }
    }

    @Test("a fault with `containing` affects only matching requests")
    func containing() async throws {
        try await RunningLibrary.run { running in
            running.library.faults.add(Fault(.serverError, on: .api, count: 1, containing: "page=3", status: 502))
            let statuses = try [2, 3, 3].map { try running.get("/photos?page=\($0)").status }
            #expect(statuses == [200, 502, 200])
        }
    }
}

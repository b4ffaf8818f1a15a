import BarFeature
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import TestSupport
import Testing

/// RFC 9110, section 8.8.1: "no two representations of one resource have the same strong validator".
@Suite("Entity tags of bars that are made again under their ids", .onEveryStore)
struct BarTagTests {
    private let key: Fields = [.idempotencyKey: "k"]
    private let events = Bodies.batch([Bodies.offset(500), Bodies.offset(530)])

    /// Creates a bar with the key and applies two events; returns its path and the tag of the last answer.
    private func write(_ api: Service) throws -> (path: String, created: Response, tag: String) {
        let created = api.post("/v1/bars", Bodies.create(), key)
        let path = try #require(created.fields[.location])
        return (path, created, try #require(api.post(path + "/events", events).fields[.eTag]))
    }

    @Test("the same revision of another creation has another tag, for every condition")
    func tags() throws {
        let api = try Service()
        let first = try write(api)
        #expect(first.tag == "\"2\"", "released clients make the tag of a revision themselves")
        #expect(api.delete(first.path).status == 204)
        let second = try write(api)
        #expect(second.path == first.path)
        #expect(second.created.fields[.eTag] != first.created.fields[.eTag])
        #expect(second.tag != first.tag)
        #expect(second.tag.wholeMatch(of: #/"2-[0-9a-z]+"/#) != nil)
        // Every answer about the state has the tag.
        #expect(api.get(second.path).fields[.eTag] == second.tag)
        #expect(api.get(second.path + "/states?at=2").fields[.eTag] == second.tag)
        #expect(api.post("/v1/bars", Bodies.create(), key).fields[.eTag] == second.created.fields[.eTag])
        #expect(api.get(second.path, [.ifNoneMatch: first.tag]).status == 200)
        #expect(api.get(second.path, [.ifNoneMatch: second.tag]).status == 304)
        let refused = api.put(second.path + "/tracks", "{}", [.ifMatch: first.tag])
        #expect(refused.code == "precondition-failed")
        #expect(refused.fields[.eTag] == second.tag)
        #expect(api.put(second.path + "/tracks", "{}").string("/detail")?.contains(second.tag) == true)
        #expect(api.delete(second.path, [.ifMatch: first.tag]).status == 412)
        #expect(api.put(second.path + "/tracks", "{}", [.ifMatch: second.tag]).status == 200)
        let third = second.tag.replacing("2-", with: "3-")
        #expect(api.post(second.path + "/events", Bodies.offset(1), [.ifMatch: third]).status == 200)
        // A copy has another id, and so begins with the first form.
        let copy = api.post(second.path + "/fork", "")
        #expect(copy.fields[.eTag] == "\"0\"")
    }

    @Test("the tag of a repeated event is that of its first answer")
    func repeated() throws {
        let api = try Service()
        let first = try write(api)
        #expect(api.delete(first.path).status == 204)
        let path = try #require(api.post("/v1/bars", Bodies.create(), key).fields[.location])
        let tag = api.post(path + "/events", Bodies.offset(1, sequence: 1)).fields[.eTag]
        #expect(api.post(path + "/events", Bodies.offset(2, sequence: 2)).status == 200)
        let again = api.post(path + "/events", Bodies.offset(1, sequence: 1))
        #expect(again.bool("/replayed") == true)
        #expect(again.fields[.eTag] == tag)
    }

    @Test("a stream sends the state to a client that has the revision of another creation")
    func streams() throws {
        let api = try Service()
        let first = try write(api)
        #expect(api.delete(first.path).status == 204)
        let second = try write(api)
        let number = second.tag.dropFirst().dropLast()
        for id in ["2", "2-", "2-x", "1-" + number.dropFirst(2)] {
            let text = try events(api, second.path, after: id)
            #expect(text.contains("id: \(number)\n"), "\(id)")
        }
        #expect(try events(api, second.path, after: String(number)) == "")
    }

    /// Returns what a stream sends at first to a client that has read the event `id`.
    private func events(_ api: Service, _ path: String, after id: String) throws -> String {
        let stream = try api.get(path + "/stream", [.lastEventID: id]).stream()
        defer { stream.close() }
        return try #require(stream.text())
    }
}

import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Creating, reading and ending a bar", .onEveryStore)
struct BarCreationTests {
    @Test("the id of a view is main by default")
    func defaultName() throws {
        let api = try Service()
        let body = Bodies.create().replacingOccurrences(of: #""id":"feed","#, with: "")
        #expect(api.post("/v1/bars", body).string("/scrollable/id") == "main")
    }

    @Test("a read can select tracks, in the order of the request")
    func tracks() throws {
        let api = try Service()
        func flat(_ value: Int) -> String { "{\"keyframes\":[{\"progress\":0,\"value\":\(value)}]}" }
        let path = try api.bar(Bodies.create(#""tracks":{"a":\#(flat(1)),"b":\#(flat(2)),"c":\#(flat(3))}"#))
        #expect(api.get(path).text.hasSuffix(#""values":{"a":1,"b":2,"c":3}}"#))
        #expect(api.get(path + "?tracks=c,a").text.hasSuffix(#""values":{"c":3,"a":1}}"#))
        #expect(api.get(path + "?tracks=c,a,c").text.hasSuffix(#""values":{"c":3,"a":1}}"#))
        let unknown = api.get(path + "?tracks=a,z")
        #expect(unknown.status == 422)
        #expect(unknown.string("/errors/0/parameter") == "tracks")
        #expect(api.get(path + "?track=a").status == 400)
    }

    @Test("a malformed id is not found")
    func notFound() throws {
        let api = try Service()
        let path = "/v1/bars/" + String(repeating: "A", count: 32)
        for answer in [
            api.get(path), api.post(path + "/events", Bodies.offset(0)), api.delete(path), api.get(path + "/stream"),
            api.get(path + "/states?at=0"), api.get(path + "/events"), api.post(path + "/fork", ""),
            api.put(path + "/tracks", "{}", [.ifMatch: "*"]),
        ] {
            #expect(answer.code == "bar-not-found")
        }
    }

    @Test("a write postpones the end of a bar, and a read does not")
    func expiry() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create(#""ttlSeconds":60"#))
        api.clock.advance(seconds: 59)
        #expect(api.get(path).string("/expiresAt") == "2023-11-14T22:14:20Z")
        #expect(api.post(path + "/events", Bodies.offset(0)).string("/expiresAt") == "2023-11-14T22:15:19Z")
        api.clock.advance(seconds: 59)
        #expect(api.get(path).status == 200)
        api.clock.advance(seconds: 1)
        #expect(api.get(path).status == 404)
        // In memory a bar takes its place until it is swept.
        #expect(api.sessionCount == (Engine.current.isShared ? 0 : 1))
        api.expire()
        #expect(api.sessionCount == 0)
        #expect(api.statistics.bytes == 0)
    }

    @Test("an idempotency key returns the same bar for the same content, and leaves its end as it is")
    func idempotency() throws {
        let api = try Service()
        let key: Fields = [.idempotencyKey: "k1"]
        let first = api.post("/v1/bars", Bodies.create(y: -200), key)
        let path = try #require(first.fields[.location])
        api.clock.advance(seconds: 600)
        #expect(api.post("/v1/bars", Bodies.create(y: -200), key).text == first.text)
        let end = try #require(api.post(path + "/events", Bodies.offset(0)).string("/expiresAt"))
        let late = api.post("/v1/bars", Bodies.create(y: -200), key)
        #expect(late.status == 201)
        #expect(late.text == first.text.replacing(try #require(first.string("/expiresAt")), with: end))
        #expect(late.text != first.text && api.get(path).string("/expiresAt") == end)
        let other = api.post("/v1/bars", Bodies.create(y: -199), key)
        #expect(other.status == 422)
        #expect(other.code == "idempotency-key-reused")
        #expect(api.sessionCount == 1)
    }

    @Test("an empty, long or repeated key is refused, and one that is not UTF-8")
    func badKey() throws {
        let api = try Service()
        let name = FieldName.idempotencyKey
        #expect(api.post("/v1/bars", Bodies.create(), [name: ""]).status == 400)
        #expect(api.post("/v1/bars", Bodies.create(), [name: String(repeating: "k", count: 256)]).status == 400)
        #expect(api.post("/v1/bars", Bodies.create(), [name: "a", name: "b"]).status == 400)
        #expect(api.post("/v1/bars", Bodies.create(), [name: "\u{fffd}"]).text.contains("1 to 255 bytes of UTF-8"))
        #expect(api.sessionCount == 0)
    }
}

import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SharedState
import TestSupport
import Testing

@testable import Photos

@Suite("Documents of the drop-in, shared by replicas")
struct SharedDocumentTests {
    private let host: Fields = [.host: "photos.example"]

    @Test(
        "a document that one replica has fetched is answered by another one without a call, with the same bytes",
        arguments: [
            "/unsplash/photos?page=2&per_page=10", "/unsplash/photos/p1", "/unsplash/topics",
            "/unsplash/search/photos?query=frog&page=3&per_page=7", "/unsplash/collections/c/photos",
        ]
    )
    func shared(target: String) async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        let first = try await a.get(target, fields: host)
        #expect(first.status == .ok)
        #expect(replicas.library.calls.count == 1)
        replicas.time.pass(.seconds(100))
        let second = try await b.get(target, fields: host)
        #expect(replicas.library.calls.count == 1)
        #expect(second.bytes == first.bytes)
        for name: FieldName in [.eTag, .link, .xTotal, .xPerPage] {
            #expect(second.fields[name] == first.fields[name])
        }
        #expect(second.fields[.age] == "100")
        // B has it now, and needs no call of the store.
        let calls = replicas.store.calls.count
        #expect(try await b.get(target, fields: host).bytes == first.bytes)
        #expect(replicas.store.calls.count == calls)
    }

    @Test("an outdated document is fetched again, once for all")
    func outdated() async throws {
        let replicas = try Replicas()
        let (a, b) = (replicas[0], replicas[1])
        _ = try await a.get("/unsplash/photos", fields: host)
        replicas.time.pass(.seconds(301))
        replicas.library.set { $0.numbers.insert(1000, at: 0) }
        let second = try await b.get("/unsplash/photos", fields: host)
        #expect(replicas.library.calls.count == 2)
        #expect(String(decoding: second.bytes, as: UTF8.self).contains("p1000"))
        // A answers with its stale copy, and gets that of B.
        _ = try await a.get("/unsplash/photos", fields: host)
        await a.settle()
        #expect(try await a.get("/unsplash/photos", fields: host).bytes == second.bytes)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a large document is not stored, and is served by the replica that fetched it")
    func large() async throws {
        let replicas = try Replicas()
        replicas.library.set { $0.padding = AnswerRecord.largestContent }
        let (a, b) = (replicas[0], replicas[1])
        let first = try await a.get("/unsplash/photos", fields: host)
        #expect(replicas.keys.isEmpty, "the claim is released")
        #expect(try await b.get("/unsplash/photos", fields: host).bytes == first.bytes)
        #expect(try await a.get("/unsplash/photos", fields: host).bytes == first.bytes)
        #expect(replicas.library.calls.count == 2)
    }

    @Test("a document of another target under the same key is replaced")
    func collision() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        let other = Timestamped(value: LibraryAnswer(Array("[]".utf8)), fetched: a.service.now)
        let key = AnswerRecord.key(of: "/photos?page=1&per_page=30")
        let bytes = AnswerRecord.bytes(other, to: "/photos?page=2&per_page=30", a.service.clock)
        _ = try await replicas.store.claim(key, bytes, timeToLive: .seconds(90))
        #expect(try await a.get("/unsplash/photos", fields: host).bytes.count > 2)
        #expect(replicas.library.calls.count == 1)
        let b = replicas[1]
        #expect(try await b.get("/unsplash/photos", fields: host).bytes.count > 2)
        #expect(replicas.library.calls.count == 1)
    }

    @Test("random photos and reports of downloads are not shared")
    func uncached() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        for path in ["/unsplash/photos/random", "/unsplash/photos/p1/download?ixid=1"] {
            #expect(try await a.get(path, fields: host).status == .ok)
        }
        #expect(replicas.keys.isEmpty)
    }

    @Test("while the store is away a document is fetched by no replica, and a kept one is served")
    func away() async throws {
        let replicas = try Replicas()
        let a = replicas[0]
        let first = try await a.get("/unsplash/photos", fields: host)
        replicas.fail(.unavailable)
        #expect(try await a.get("/unsplash/photos", fields: host).bytes == first.bytes)
        #expect(try await a.get("/unsplash/photos/p2", fields: host).status == .serviceUnavailable)
        #expect(replicas.library.calls.count == 1)
    }
}

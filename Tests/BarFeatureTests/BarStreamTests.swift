import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Streams of a bar", .onEveryStore)
struct BarStreamTests {
    /// Reads a stream as the server does.
    private final class Reader {
        let stream: any ContentStream

        /// Opens a stream; it gets all changes from now on.
        init(_ api: Service, _ path: String, _ fields: Fields = [:]) throws {
            let answer = api.get(path, fields)
            try RealRedis.current?.receiveMessages()
            api.readDueBars()
            #expect(answer.fields[.contentType] == "text/event-stream")
            stream = try answer.stream()
        }

        /// The text that can be read now; nil at the end of the stream.
        func read() throws -> String? {
            try RealRedis.current?.receiveMessages()
            return stream.text()
        }
    }

    /// The content of a bar as a stream has it: without commands, and without what makes the bar again.
    private func shown(_ answer: Response) -> String {
        answer.text.replacing(#/"snapshot":.*"commands":\[\],/#, with: "")
    }

    @Test("a stream starts with the state, and then has only changes")
    func changes() throws {
        let api = try Service()
        let path = try api.bar()
        let reader = try Reader(api, path + "/stream")
        let body = shown(api.get(path))
        #expect(try reader.read() == "event: state\nid: 0\ndata: \(body)\n\n")
        // The first offset only primes: a new revision without a visible change.
        _ = api.post(path + "/events", Bodies.offset(500))
        #expect(try reader.read() == "")
        _ = api.post(path + "/events", Bodies.offset(530))
        #expect(try reader.read()?.hasPrefix("event: state\nid: 2\ndata: {\"id\":") == true)
        // A permission to expand is a change, even if the bar does not move.
        let quiet = try api.bar(Bodies.create(y: -200))
        let other = try Reader(api, quiet + "/stream")
        _ = try other.read()
        _ = api.post(quiet + "/events", #"{"type":"panGesture","state":"began"}"#)
        #expect(try other.read()?.contains("\"isExpandedStateAvailable\":true") == true)
    }

    @Test("the options of the writer do not show; only tracks with other values are a change")
    func results() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create(#""tracks":{"a":{"keyframes":[{"progress":1,"value":7}]}}"#))
        let reader = try Reader(api, path + "/stream")
        _ = try reader.read()
        _ = api.post(path + "/events?results=all", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        let body = shown(api.get(path))
        #expect(try reader.read() == "event: state\nid: 2\ndata: \(body)\n\n")
        let points = #"{"a":{"keyframes":[{"progress":0,"value":7},{"progress":1,"value":7}]}}"#
        #expect(api.put(path + "/tracks", points, [.ifMatch: "*"]).status == 200)
        #expect(try reader.read() == "")
        _ = api.put(path + "/tracks", #"{"a":{"keyframes":[{"progress":1,"value":8}]}}"#, [.ifMatch: "*"])
        #expect(try reader.read()?.contains(#""values":{"a":8}}"#) == true)
    }

    @Test("commands are sent if they are asked for, and then count as changes")
    func commands() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create(#""feedback":"echoed""#))
        let plain = try Reader(api, path + "/stream")
        let full = try Reader(api, path + "/stream?commands=true")
        #expect(try plain.read()?.contains("commands") == false)
        #expect(try full.read()?.contains("\"commands\":[]") == true)
        _ = api.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        _ = (try plain.read(), try full.read())
        // The client has not reported the move yet: the bar rests, but there is a command.
        _ = api.post(path + "/events", #"{"type":"panGesture","state":"ended"}"#)
        #expect(try plain.read() == "")
        #expect(try full.read()?.contains("\"commands\":[{\"sequence\":3,") == true)
    }

    @Test("a client with the present revision gets no snapshot; one with another revision does")
    func resume() throws {
        let api = try Service()
        let path = try api.bar()
        _ = api.post(path + "/events", Bodies.batch([Bodies.offset(500), Bodies.offset(530)]))
        let current = try Reader(api, path + "/stream", [.lastEventID: "2"])
        let stale = try Reader(api, path + "/stream", [.lastEventID: "1"])
        let strange = try Reader(api, path + "/stream", [.lastEventID: "x"])
        #expect(try current.read() == "")
        #expect(try stale.read()?.contains("id: 2") == true)
        #expect(try strange.read()?.contains("id: 2") == true)
        _ = api.post(path + "/events", Bodies.offset(540))
        for reader in [current, stale, strange] { #expect(try reader.read()?.contains("id: 3") == true) }
    }

    @Test("a slow client gets the newest state only")
    func coalescing() throws {
        let api = try Service()
        let path = try api.bar()
        let reader = try Reader(api, path + "/stream")
        for step in 0..<200 { _ = api.post(path + "/events", Bodies.offset(500 + Double(step % 90))) }
        let text = try #require(try reader.read())
        #expect(text.components(separatedBy: "event: state").count == 2)
        #expect(text.contains("id: 200"))
    }

    @Test("a stream ends with its bar and has the reason", arguments: ["deleted", "expired", "shutdown"])
    func end(reason: String) throws {
        let api = try Service()
        let path = try api.bar()
        let reader = try Reader(api, path + "/stream")
        _ = try reader.read()
        switch reason {
        case "deleted": _ = api.delete(path)
        case "expired":
            api.clock.advance(seconds: 901)
            api.expire()
        default: reader.stream.drain()
        }
        #expect(try reader.read() == "event: end\ndata: {\"reason\":\"\(reason)\"}\n\n")
        #expect(try reader.read() == nil)
        reader.stream.close()
        #expect(api.sessions.store.observers.count == 0)
    }

    @Test("a client that leaves is removed and released")
    func close() throws {
        let api = try Service()
        let path = try api.bar()
        weak var stream: (any ContentStream)?
        do {
            let reader = try Reader(api, path + "/stream")
            stream = reader.stream
            #expect(api.sessions.store.observers.count == 1)
            reader.stream.close()
        }
        #expect(api.sessions.store.observers.count == 0)
        #expect(eventually { stream == nil }, "another thread may release it last")
        #expect(api.get(path + "x/stream").status == 404)
        #expect(api.sessions.store.observers.count == 0)
    }

    @Test("a HEAD request opens no stream")
    func head() throws {
        let api = try Service()
        let path = try api.bar()
        let answer = api.head(path + "/stream")
        #expect(answer.status == 200)
        #expect(answer.content.length == nil, "a stream has no length, and not one of 0")
        #expect(answer.fields[.contentType] == "text/event-stream")
        #expect(api.sessions.store.observers.count == 0)
        #expect(api.head(path + "x/stream").status == 404)
    }

    @Test("concurrent writers never send an older state")
    func concurrentWriters() async throws {
        let api = try Service()
        let path = try api.bar()
        let reader = try Reader(api, path + "/stream")
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for step in 0..<200 {
                        _ = api.post(path + "/events", Bodies.offset(Double((task * 31 + step * 17) % 400)))
                    }
                }
            }
        }
        let text = try #require(try reader.read())
        #expect(text.contains("id: "))
        let last = try #require(text.components(separatedBy: "data: ").last?.components(separatedBy: "\n").first)
        let current = api.get(path)
        let seen = try JSON.parse(Array(last.utf8)).object()
        // The last sent state is equal to the present one.
        #expect(try seen["state"].object()["offset"].double() == current.number("/state/offset"))
    }
}

import Foundation
import HTTPExchange
import Sandbox
import TestSupport
import Testing

@Suite("Faults over HTTP")
struct WireFaultTests {
    @Test("without a fault, lists and pictures are sent on one persistent connection")
    func right() async throws {
        try await RunningSandbox.run { running in
            let connection = try running.connect()
            let page = try connection.exchange(running.request("/photos?per_page=30"))
            #expect(page.status == 200 && page["X-Total"] == "900" && page["Link"]?.contains("rel=\"next\"") == true)
            #expect(page["Content-Length"] == String(page.content.count))
            let picture = try connection.exchange(running.request(try await running.thumb(), key: nil))
            #expect(picture.status == 200 && picture["Content-Type"] == "image/png")
            #expect(picture["Content-Length"] == String(picture.content.count))
            #expect(try DecodedPNG(picture.content).width == 200)
            let head = try connection.exchange(running.request(try await running.thumb(), key: nil, method: "HEAD"))
            #expect(head.status == 200 && head["Content-Length"] == String(picture.content.count))
            let counts = try await running.counts { $0.inFlight == 0 }
            #expect(counts.abortedDownloads == 0 && counts.imageRequests == 2)
        }
    }

    @Test(
        "a fault replaces the whole response of its host, once",
        arguments: [
            (.unauthorized, [:], 401, "OAuth error"), (.forbiddenText, [:], 403, "Rate Limit Exceeded"),
            (.forbiddenJSON, [:], 403, "{\"errors\":["),
            (.tooManyRequests, ["retryAfter": 7], 429, "{\"errors\":["),
            (.serverError, ["status": 500], 500, "<html>"), (.serverError, [:], 503, "<html>"),
            (.wrongType, [:], 200, "<!doctype html>"), (.empty, [:], 200, ""),
        ] as [(Fault.Kind, [String: Int], Int, String)]
    )
    func answers(kind: Fault.Kind, numbers: [String: Int], status: Int, start: String) async throws {
        try await RunningSandbox.run { running in
            let thumb = try await running.thumb()
            for (scope, target) in [(Fault.Scope.api, "/photos"), (.images, thumb)] {
                running.sandbox.faults.add(Fault(kind, on: scope, numbers, count: 1))
                let other = try running.get(scope == .api ? thumb : "/photos")
                #expect(other.status == 200 && other.content.count > 1000, "the other host is well")
                let answer = try running.get(target)
                #expect(answer.status == status)
                #expect(
                    start.isEmpty ? answer.content.isEmpty : answer.text.hasPrefix(start) || answer.text.contains(start)
                )
                if kind == .tooManyRequests { #expect(answer["Retry-After"] == "7") }
                if kind == .wrongType { #expect(answer["Content-Type"] == "text/html") }
                if kind == .empty { #expect(answer["Content-Length"] == "0") }
                let next = try running.get(target)
                #expect(next.status == 200 && next.content.count > 1000, "once was once")
            }
        }
    }

    @Test("a redirect leads to an address that is forbidden for a proxy")
    func redirect() async throws {
        try await RunningSandbox.run { running in
            let address = "http://169.254.169.254/latest/meta-data/"
            running.sandbox.faults.add(Fault(.redirect, on: .images, location: address, count: 1))
            let answer = try running.get(try await running.thumb(), key: nil)
            #expect(answer.status == 302 && answer["Location"] == address)
        }
    }

    @Test("malformed content has the correct type and length")
    func malformed() async throws {
        try await RunningSandbox.run { running in
            let thumb = try await running.thumb()
            let right = try running.get("/photos")
            running.sandbox.faults.add(Fault(.malformed, on: .api))
            let json = try running.get("/photos")
            #expect(json.status == 200 && json["Content-Type"] == "application/json")
            #expect(json.content.count == right.content.count)
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(json.content)) }
            running.sandbox.faults.add(Fault(.malformed, on: .images))
            let picture = try running.get(thumb, key: nil)
            #expect(picture["Content-Type"] == "image/png" && !picture.content.isEmpty)
            #expect(throws: DecodedPNG.Fault.signature) { try DecodedPNG(picture.content) }
        }
    }

    @Test("a truncated response ends after half of its Content-Length", arguments: [Fault.Scope.api, .images])
    func truncated(scope: Fault.Scope) async throws {
        try await RunningSandbox.run { running in
            let target = scope == .api ? "/photos" : try await running.thumb()
            let right = try running.get(target)
            running.sandbox.faults.add(Fault(.truncate, on: scope, count: 1))
            let connection = try running.connect()
            try connection.send(running.request(target))
            let head = try RawResponse(head: connection.read(through: "\r\n\r\n"))
            #expect(head.status == 200 && head["Content-Length"] == String(right.content.count))
            let rest = try connection.readToEnd()
            #expect(rest == Array(right.content.prefix(right.content.count / 2)))
            let counts = try await running.counts { $0.abortedDownloads == 1 && $0.inFlight == 0 }
            #expect(counts.abortedDownloads == 1)
            let next = try running.get(target)
            #expect(next.content == right.content)
        }
    }

    @Test("a reset response has no content and ends with a reset", arguments: [Fault.Scope.api, .images])
    func reset(scope: Fault.Scope) async throws {
        try await RunningSandbox.run { running in
            let target = scope == .api ? "/photos" : try await running.thumb()
            let ordinary = try ConnectionEnd(of: running.request(target + "&x", key: nil), port: running.port)
            #expect(ordinary == ConnectionEnd(hasContent: true, isReset: false))
            running.sandbox.faults.add(Fault(.reset, on: scope, count: 1))
            let broken = try ConnectionEnd(of: running.request(target), port: running.port)
            #expect(broken == ConnectionEnd(hasContent: false, isReset: true))
            let counts = try await running.counts { $0.abortedDownloads == 1 && $0.inFlight == 0 }
            #expect(counts.abortedDownloads == 1)
        }
    }

    @Test("latencies precede the first byte, and are added up")
    func latency() async throws {
        try await RunningSandbox.run { running in
            running.sandbox.faults.add(Fault(.latency, on: .api, ["milliseconds": 80], count: 1))
            running.sandbox.faults.add(Fault(.latency, on: .api, ["milliseconds": 70], count: 1))
            let start = ContinuousClock.now
            let answer = try running.get("/photos")
            #expect(answer.status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(150))
        }
    }

    @Test("a dripping response arrives in pieces at intervals, and is complete")
    func drip() async throws {
        try await RunningSandbox.run({ $0.heartbeat = .milliseconds(10) }) { running in
            let right = try running.get("/photos?per_page=1")
            running.sandbox.faults.add(Fault(.drip, on: .api, ["bytes": 500], count: 1))
            let start = ContinuousClock.now
            let answer = try running.get("/photos?per_page=1")
            #expect(answer.content == right.content)
            let beats = right.content.count / 500 - 1
            #expect(ContinuousClock.now - start >= .milliseconds(10 * beats / 2))
        }
    }

    @Test(
        "hanging before the response sends nothing, and within it half; a client that disconnects is counted",
        arguments: [Fault.Scope.api, .images]
    )
    func hang(scope: Fault.Scope) async throws {
        try await RunningSandbox.run { running in
            let target = scope == .api ? "/photos" : try await running.thumb()
            let right = try running.get(target)
            var counts = try await running.counts { $0.inFlight == 0 }
            running.sandbox.faults.add(Fault(.hangBefore, on: scope, count: 1))
            let silent = try running.connect()
            try silent.send(running.request(target))
            _ = try await running.counts { $0.inFlight == 1 }
            #expect(silent.isSilent(for: .milliseconds(150)))
            #expect(running.sandbox.counts.inFlight == 1)
            silent.close()
            counts = try await running.counts { $0.inFlight == 0 }
            #expect(counts.inFlight == 0 && counts.abortedDownloads == 1)

            running.sandbox.faults.add(Fault(.hangInside, on: scope, count: 1))
            let half = try running.connect()
            try half.send(running.request(target))
            _ = try half.read(through: "\r\n\r\n")
            _ = try half.read(count: right.content.count / 2)
            #expect(half.isSilent(for: .milliseconds(150)))
            half.close()
            counts = try await running.counts { $0.inFlight == 0 }
            #expect(counts.inFlight == 0 && counts.abortedDownloads == 2)
        }
    }

    @Test(
        "bombs are complete, with their length",
        arguments: [(.gzipBomb, .api), (.gzipBomb, .images), (.pixelBomb, .images)] as [(Fault.Kind, Fault.Scope)]
    )
    func bombs(kind: Fault.Kind, scope: Fault.Scope) async throws {
        try await RunningSandbox.run { running in
            let target = scope == .api ? "/photos" : try await running.thumb()
            running.sandbox.faults.add(Fault(kind, on: scope, count: 1))
            let answer = try running.get(target)
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == (scope == .api ? "application/json" : "image/png"))
            #expect((answer["Content-Encoding"] == "gzip") == (kind == .gzipBomb))
            #expect((900_000...4_000_000).contains(answer.content.count))
            #expect(answer["Content-Length"] == String(answer.content.count))
        }
    }

    @Test("an endless body continues until its reader disconnects", arguments: [Fault.Scope.api, .images])
    func endless(scope: Fault.Scope) async throws {
        try await RunningSandbox.run { running in
            let target = scope == .api ? "/photos" : try await running.thumb()
            running.sandbox.faults.add(Fault(.endlessBody, on: scope, count: 1))
            let connection = try running.connect()
            try connection.send(running.request(target))
            let head = try RawResponse(head: connection.read(through: "\r\n\r\n"))
            #expect(head.status == 200 && head["Content-Length"] == nil)
            _ = try connection.read(count: 20_000_000)
            connection.close()
            let counts = try await running.counts { $0.inFlight == 0 }
            #expect(counts.inFlight == 0 && counts.abortedDownloads == 1)
        }
    }

    @Test("stopping ends hanging responses within seconds")
    func stop() async throws {
        let clock = ContinuousClock()
        try await RunningSandbox.run { running in
            let thumb = try await running.thumb()
            running.sandbox.faults.add(Fault(.hangBefore, on: .api))
            let before = try running.connect()
            try before.send(running.request("/photos"))
            running.sandbox.faults.add(Fault(.hangInside, on: .images))
            let inside = try running.connect()
            try inside.send(running.request(thumb, key: nil))
            _ = try inside.read(through: "\r\n\r\n")
            let counts = try await running.counts { $0.inFlight == 2 }
            #expect(counts.inFlight == 2)
            let stopping = clock.now
            await running.sandbox.stop()
            #expect(clock.now - stopping < .seconds(20))
            // Both connections are closed, so no read reaches its time limit.
            _ = try inside.readToEnd()
            _ = try before.readToEnd()
        }
    }

    @Test("concurrent requests are counted, separately for each host")
    func concurrency() async throws {
        try await RunningSandbox.run { running in
            running.sandbox.faults.add(Fault(.hangBefore, on: .api))
            let connections = try (0..<5).map { _ in try running.connect() }
            for connection in connections { try connection.send(running.request("/photos")) }
            let counts = try await running.counts { $0.inFlight == 5 }
            #expect(counts.api.highest == 5)
            #expect(counts.images.highest == 0)
            #expect(counts.requests[.photos] == 5 && counts.apiRequests == 5)
            for connection in connections { connection.close() }
        }
    }
}

import FakeLibrary
import Foundation
import HTTPExchange
import TestSupport
import Testing

@Suite("Faults over HTTP")
struct WireFaultTests {
    @Test("without a fault the requests are counted, and answered as by the built-in library")
    func right() async throws {
        try await RunningLibrary.run { running in
            let page = try running.get("/photos?per_page=30")
            #expect(page.status == 200 && page["X-Total"] == "900" && page["Link"]?.contains("rel=\"next\"") == true)
            let target = try running.thumb()
            let picture = try running.get(target, key: nil)
            #expect(picture.status == 200 && picture["Content-Type"] == "image/png" && picture.content.count > 1000)
            _ = try running.get(target.replacing(/ixid=[^&]+/, with: ""), key: "leaked")
            var counts = LibraryCounts()
            (counts.apiRequests, counts.imageRequests) = (2, 2)
            (counts.imagesWithoutIxid, counts.imagesWithKey) = (1, 1)
            #expect(try await running.counts { $0.inFlight == 0 } == counts)
            #expect(running.library.targets.prefix(3) == ["/photos?per_page=30", "/photos", target])
        }
    }

    @Test("pictures of a given length are of this length, have the start and the end of a PNG, and need no drawing")
    func noise() async throws {
        try await RunningLibrary.run({ $0.pictureBytes = 8_000_000 }) { running in
            let picture = try running.get(try running.thumb(), key: nil).content
            #expect(picture.count == 8_000_000 && picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(picture.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        }
    }

    @Test("a fault is set as JSON over HTTP, and the counts are read")
    func controls() async throws {
        try await RunningLibrary.run { running in
            let fault = #"{"kind":"answer","on":"api","status":422,"content":"{}","count":1}"#
            func post(_ content: String) throws -> Int {
                let request = running.request("/fake/faults", key: nil, method: "POST", content: content)
                return try running.connect().exchange(request).status
            }
            #expect(try post(fault) == 201)
            let answer = try running.get("/photos")
            #expect(answer.status == 422 && answer.text == "{}")
            #expect(try post(#"{"kind":"rain","on":"api"}"#) == 422)
            #expect(try post(fault) == 201)
            let delete = running.request("/fake/faults", key: nil, method: "DELETE")
            #expect(try running.connect().exchange(delete).status == 204)
            #expect(try running.get("/photos").status == 200)
            let counts = try JSONDecoder().decode(LibraryCounts.self, from: Data(running.get("/fake/counters").content))
            #expect(counts == running.library.counts && counts.apiRequests == 2)
            #expect(try running.get("/fake/targets").text == #"["\/photos","\/photos"]"#)
        }
    }

    @Test(
        "a fault replaces the whole response of its host, once",
        arguments: [
            (.unauthorized, 401, "OAuth error"), (.forbiddenText, 403, "Rate Limit Exceeded"),
            (.forbiddenJSON, 403, "{\"errors\":["), (.tooManyRequests, 429, "{\"errors\":["),
            (.serverError, 503, "<html>"), (.wrongType, 200, "<!doctype html>"), (.empty, 200, ""),
        ] as [(Fault.Kind, Int, String)]
    )
    func answers(kind: Fault.Kind, status: Int, start: String) async throws {
        try await RunningLibrary.run { running in
            let thumb = try running.thumb()
            for (scope, target) in [(Fault.Host.api, "/photos"), (.images, thumb)] {
                running.library.faults.add(Fault(kind, on: scope, count: 1, retryAfter: 7))
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

    @Test("malformed content has the correct type and length")
    func malformed() async throws {
        try await RunningLibrary.run { running in
            let thumb = try running.thumb()
            let right = try running.get("/photos")
            running.library.faults.add(Fault(.malformed, on: .api))
            let json = try running.get("/photos")
            #expect(json.status == 200 && json["Content-Type"] == "application/json")
            #expect(json.content.count == right.content.count)
            #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(json.content)) }
            running.library.faults.add(Fault(.malformed, on: .images))
            let picture = try running.get(thumb, key: nil)
            #expect(picture["Content-Type"] == "image/png" && !picture.content.isEmpty)
            #expect(!picture.content.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("a truncated response ends after half of its Content-Length", arguments: [Fault.Host.api, .images])
    func truncated(scope: Fault.Host) async throws {
        try await RunningLibrary.run { running in
            let target = scope == .api ? "/photos" : try running.thumb()
            let right = try running.get(target)
            running.library.faults.add(Fault(.truncate, on: scope, count: 1))
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

    @Test(
        "hanging before the response sends nothing, and within it half; a client that disconnects is counted",
        arguments: [Fault.Host.api, .images]
    )
    func hang(scope: Fault.Host) async throws {
        try await RunningLibrary.run { running in
            let target = scope == .api ? "/photos" : try running.thumb()
            let right = try running.get(target)
            var counts = try await running.counts { $0.inFlight == 0 }
            running.library.faults.add(Fault(.hangBefore, on: scope, count: 1))
            let silent = try running.connect()
            try silent.send(running.request(target))
            _ = try await running.counts { $0.inFlight == 1 }
            #expect(silent.isSilent(for: .milliseconds(150)))
            #expect(running.library.counts.inFlight == 1)
            silent.close()
            counts = try await running.counts { $0.inFlight == 0 }
            #expect(counts.inFlight == 0 && counts.abortedDownloads == 1)

            running.library.faults.add(Fault(.hangInside, on: scope, count: 1))
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
}

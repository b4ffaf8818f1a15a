import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@testable import Sandbox

@Suite("Control of faults over HTTP")
struct ControlTests {
    private let sandbox = SandboxLibrary(clock: ManualClock()) { $0.hasControls = true }

    private func ask(
        _ target: String,
        _ method: HTTPRequest.Method = .get,
        host: String = "127.0.0.1:8081",
        content: String = "",
        contentType: String? = "application/json"
    ) async throws -> Answer {
        try await sandbox.ask(
            target,
            key: nil,
            method: method,
            host: host,
            content: content,
            contentType: contentType
        )
    }

    private func post(_ content: String) async throws -> Answer {
        try await ask("/sandbox/faults", .post, content: content)
    }

    private static let fault = #"{"kind":"reset","on":"api"}"#
    private static let controls: [(HTTPRequest.Method, String)] = [
        (.get, "/sandbox/counters"), (.delete, "/sandbox/counters"), (.get, "/sandbox/faults"),
        (.post, "/sandbox/faults"), (.delete, "/sandbox/faults"),
    ]

    @Test("a library without controls, such as the one inside of a service, has none of their paths")
    func noControls() async throws {
        let embedded = SandboxLibrary(clock: ManualClock())
        for (method, target) in Self.controls {
            let content = method == .post ? Self.fault : ""
            let answer = try await embedded.ask(target, key: nil, method: method, host: "127.0.0.1", content: content)
            #expect(answer.status == 404)
        }
        #expect(embedded.faults.active.isEmpty)
    }

    @Test(
        "a control with another Host is refused, as after DNS rebinding",
        arguments: [
            ("127.0.0.1:8081", true), ("127.1.2.3", true), ("localhost:8081", true), ("LOCALHOST", true),
            ("[::1]:8081", true), ("[::1]", true), ("attacker.example:8081", false),
            ("localhost.attacker.example", false),
            ("127.0.0.1.attacker.example", false), ("192.0.2.1:8081", false), ("[2001:db8::1]", false), ("", false),
        ]
    )
    func hosts(host: String, isAllowed: Bool) async throws {
        for (method, target) in Self.controls {
            let status = try await ask(target, method, host: host, content: method == .post ? Self.fault : "").status
            #expect(isAllowed ? 200..<300 ~= status : status == 403, "\(method) \(target)")
        }
        #expect(sandbox.faults.active.isEmpty)
    }

    @Test(
        "a fault is accepted as JSON only, which a page of another site cannot send",
        arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    )
    func types(contentType: String?) async throws {
        let answer = try await ask("/sandbox/faults", .post, content: Self.fault, contentType: contentType)
        #expect(answer.status == 415)
        #expect(sandbox.faults.active.isEmpty)
    }

    /// Each kind of fault as text and as a value.
    @Test(
        "every kind of fault can be set, and is listed as it was sent",
        arguments: [
            (#"{"kind":"latency","on":"api","milliseconds":200}"#, Fault(.latency, on: .api, ["milliseconds": 200])),
            (#"{"kind":"drip","on":"images","bytes":64}"#, Fault(.drip, on: .images, ["bytes": 64])),
            (
                #"{"kind":"tooManyRequests","on":"api","retryAfter":3}"#,
                Fault(.tooManyRequests, on: .api, ["retryAfter": 3])
            ),
            (#"{"kind":"serverError","on":"api","status":500}"#, Fault(.serverError, on: .api, ["status": 500])),
            (#"{"kind":"listShift","on":"api","photos":2}"#, Fault(.listShift, on: .api, ["photos": 2])),
            (
                #"{"kind":"duplicates","on":"api","across":2,"inside":0}"#,
                Fault(.duplicates, on: .api, ["across": 2, "inside": 0])
            ),
            (#"{"kind":"reset","on":"api"}"#, Fault(.reset, on: .api)),
            (#"{"kind":"truncate","on":"images"}"#, Fault(.truncate, on: .images)),
            (#"{"kind":"wrongType","on":"api"}"#, Fault(.wrongType, on: .api)),
            (#"{"kind":"empty","on":"api"}"#, Fault(.empty, on: .api)),
            (#"{"kind":"malformed","on":"api"}"#, Fault(.malformed, on: .api)),
            (#"{"kind":"gzipBomb","on":"api"}"#, Fault(.gzipBomb, on: .api)),
            (#"{"kind":"pixelBomb","on":"images"}"#, Fault(.pixelBomb, on: .images)),
            (#"{"kind":"endlessBody","on":"api"}"#, Fault(.endlessBody, on: .api)),
            (#"{"kind":"hangBefore","on":"api"}"#, Fault(.hangBefore, on: .api)),
            (#"{"kind":"hangInside","on":"api"}"#, Fault(.hangInside, on: .api)),
            (#"{"kind":"unauthorized","on":"api"}"#, Fault(.unauthorized, on: .api)),
            (#"{"kind":"forbiddenText","on":"api"}"#, Fault(.forbiddenText, on: .api)),
            (#"{"kind":"forbiddenJSON","on":"api"}"#, Fault(.forbiddenJSON, on: .api)),
            (#"{"kind":"tooManyRequests","on":"api"}"#, Fault(.tooManyRequests, on: .api)),
            (
                #"{"kind":"redirect","on":"images","location":"http://10.0.0.1/"}"#,
                Fault(.redirect, on: .images, location: "http://10.0.0.1/")
            ),
        ]
    )
    func kinds(json: String, expected: Fault) async throws {
        let counted = json.dropLast() + #","count":2,"containing":"w=1080"}"#
        #expect(try await post(String(counted)).status == 201)
        let fault = try #require(sandbox.faults.active.first)
        #expect(fault.kind == expected.kind && fault.scope == expected.scope && fault.location == expected.location)
        #expect(fault.numbers == expected.numbers && fault.count == 2 && fault.containing == "w=1080")
        #expect(try await ask("/sandbox/faults").text == "[\(counted)]")
        #expect(try await ask("/sandbox/faults", .delete).status == 204)
        #expect(sandbox.faults.active.isEmpty)
    }

    @Test(
        "an invalid fault is refused with its location",
        arguments: [
            ("{", 400, ""), ("[]", 422, ""), (#"{"kind":"rain","on":"api"}"#, 422, "/kind"),
            (#"{"kind":"reset"}"#, 422, "/on"), (#"{"kind":"reset","on":"api","bytes":1}"#, 422, "/bytes"),
            (#"{"kind":"pixelBomb","on":"api"}"#, 422, "/on"), (#"{"kind":"listShift","on":"images"}"#, 422, "/on"),
            (#"{"kind":"latency","on":"api"}"#, 422, "/milliseconds"),
            (#"{"kind":"serverError","on":"api","status":200}"#, 422, "/status"),
            (#"{"kind":"reset","on":"api","count":0}"#, 422, "/count"),
        ]
    )
    func refusals(content: String, status: Int, pointer: String) async throws {
        let answer = try await post(content)
        #expect(answer.status == status)
        if !pointer.isEmpty { #expect(answer.text.contains("\"pointer\":\"\(pointer)\"")) }
        #expect(sandbox.faults.active.isEmpty)
    }

    @Test(
        "the response to an invalid fault names what is allowed",
        arguments: [
            (#"{"kind":"pixelBomb","on":"api"}"#, "must be `images` for `pixelBomb`"),
            (#"{"kind":"listShift","on":"images"}"#, "must be `api` for `listShift`"),
            (
                #"{"kind":"latency","on":"api","milliseconds":1,"bytes":1}"#,
                "is not a member of `latency`; its members are `kind`, `on`, `count`, `containing`, `milliseconds`"
            ),
        ]
    )
    func rules(content: String, rule: String) async throws {
        #expect(try await post(content).text.contains(rule))
    }

    @Test("the counters are JSON, need no key, do not count control requests, and can be reset")
    func counters() async throws {
        _ = try await sandbox.ask("/photos")
        _ = try await sandbox.ask("/search/photos?query=sea")
        _ = try await sandbox.ask("/images/none", key: "leaked")
        let counts = try await ask("/sandbox/counters").object()
        let requests = try JSONShape.object(counts["requests"])
        #expect(requests["photos"] as? Int == 1 && requests["search"] as? Int == 1 && requests["images"] as? Int == 1)
        #expect(requests["control"] == nil)
        #expect(counts["apiRequests"] as? Int == 2 && counts["imageRequests"] as? Int == 1)
        #expect(counts["imagesWithKey"] as? Int == 1 && counts["imagesWithoutIxid"] as? Int == 1)
        #expect(try await ask("/sandbox/counters", .delete).status == 204)
        #expect(sandbox.counts == SandboxCounts())
    }

    @Test("an unknown control path is a 404 with a problem", arguments: ["/sandbox/none", "/sandbox"])
    func unknown(target: String) async throws {
        let answer = try await ask(target)
        #expect(answer.status == 404)
        #expect(answer.fields[.contentType] == "application/problem+json")
    }

    @Test(
        "each path belongs to a kind of request",
        arguments: [
            ("/photos", PathClass.photos), ("/photos?page=2", .photos), ("/photos/random?count=2", .random),
            ("/photos/abc", .photo), ("/photos/abc/download?ixid=x", .download), ("/search/photos?query=x", .search),
            ("/topics", .topics), ("/topics/x/photos", .topics), ("/collections/1/photos", .collections),
            ("/users/x/photos", .users), ("/images/photo-1?w=2", .images), ("/images/small/x", .images),
            ("/sandbox/faults", .control), ("/", .unknown), ("/photos/a/b", .unknown), ("/me", .unknown),
        ]
    )
    func classes(target: String, pathClass: PathClass) {
        #expect(PathClass(Target(target)) == pathClass)
    }
}

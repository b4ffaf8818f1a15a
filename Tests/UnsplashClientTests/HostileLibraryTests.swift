import JSON
import Primitives
import TestSupport
import Testing

@testable import Photos
@testable import UnsplashClient

/// Any bytes from the library have a value or an error as a result, and never a trap.
@Suite("A library that sends anything", .timeLimit(.minutes(2)))
struct HostileLibraryTests {
    /// Changes some bytes, cuts some out, and repeats some.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            guard !bytes.isEmpty else { return bytes }
            let index = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.endIndex, index + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3: bytes.insert(contentsOf: "999999999999999999999".utf8, at: index)
            default:
                let text = ["null", "-1", "1e400", "[", "{", "\"", "\\u0000"].randomElement(using: &random) ?? ""
                bytes.insert(contentsOf: text.utf8, at: index)
            }
        }
        return bytes
    }

    @Test("the message of a refused query is among the first of a short document, and short itself")
    func messages() {
        func message(_ errors: [String]) -> UpstreamError {
            let content = Array("{\"errors\":[\(errors.joined(separator: ","))]}".utf8)
            return UpstreamError(TransferResponse(status: 422, fields: [:], content: content), hiding: "key")
        }
        #expect(message(["0", "\"a key\""]) == .invalidQuery(422, "a …"))
        #expect(message(["\"a key\u{301}\""]) == .invalidQuery(422, "a …\u{301}"), "its last character is another one")
        let without = UpstreamError.invalidQuery(422, "The photo library refuses the query.")
        #expect(message(Array(repeating: "0", count: 100) + ["\"a\""]) == without)
        #expect(message(Array(repeating: "\"a\"", count: 20_000)) == without)
        // One character of a reader, and 20,000 Unicode scalars.
        let marks = String(repeating: "\u{301}", count: 20_000)
        #expect(
            message(["\"a\(marks)\""])
                == .invalidQuery(422, "a" + marks.unicodeScalars.prefix(199).map(String.init).joined())
        )
    }

    @Test(
        "rate limits and waits of any number",
        arguments: ["-1", "9223372036854775807", "-9223372036854775808", "x", "", "1e9", "٣"]
    )
    func numbers(text: String) {
        let fields = ["x-ratelimit-limit": text, "x-ratelimit-remaining": text, "retry-after": text]
        let response = TransferResponse(status: 429, fields: fields, content: [])
        guard case .rateLimited(let wait) = UpstreamError(response, hiding: "key") else {
            return #expect(Bool(false))
        }
        #expect(wait >= .seconds(1) && wait <= .seconds(3600))
        let start = Instant.now
        var budget = HourlyBudget(limit: 50, ends: start + .seconds(60))
        for _ in 0..<3 {
            budget.count(now: start)
            if let left = response.remainingCalls { budget.observe(remaining: left, now: start) }
        }
        #expect(0...50 ~= budget.remaining)
    }

    @Test("every status is an error of the right kind, for any content", arguments: 0..<4)
    func statuses(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let content = Array("{\"errors\":[\"a message\"]}".utf8)
        for status in 100..<1000 where status != 200 {
            let response = TransferResponse(status: status, fields: [:], content: mutated(content, &random))
            let error = UpstreamError(response, hiding: "key")
            if 300..<500 ~= status { #expect(error.health != .failure, "\(status)") }
            let picture = UpstreamError(pictureStatus: status)
            if 300..<500 ~= status { #expect(picture.health != .failure, "\(status)") }
        }
    }

    @Test("a call sends its trace to the API and to the image hosts")
    func trace() async throws {
        let server = try LoopbackServer { head, connection in connection.answer(head.contains("/p1") ? "x" : "[]") }
        let client = try makeClient(server)
        defer { client.stop() }
        let parent = "00-0af7651916cd43dd8448eb211c80319c-00000000000000aa-01"
        try await UpstreamTrace.$current.withValue(UpstreamTrace(parent: parent, state: "vendor=1,other=2")) {
            _ = try await client.get("/photos")
            try await client.picture(at: server.url + "/p1", into: Collector())
        }
        _ = try await client.get("/photos")
        for field in ["traceparent: \(parent)", "tracestate: vendor=1,other=2"] {
            #expect(server.requests.map { $0.contains("\r\n\(field)\r\n") } == [true, true, false])
        }
        #expect(!server.requests[2].lowercased().contains("\r\ntrace"))
    }
}

import FakeLibrary
import HTTPExchange
import HTTPTypes
import JSON
import Photos
import ServiceHarness
import Testing

@testable import UnsplashClient

/// Tests every fault of the library, and the response that clients get.
@Suite("Faults of the library", .serialized, .timeLimit(.minutes(5)))
struct LibraryFaultsTests {
    /// Short, so that hanging ends soon, and long enough to draw a picture on a busy machine.
    private static let impatient = TransferTimeouts(
        connect: .seconds(1),
        firstByte: .seconds(2),
        idle: .milliseconds(700),
        total: .seconds(3)
    )

    /// The code of a problem; nil for any other response.
    private func code(_ response: Response) -> String? {
        guard let code = response.code else { return nil }
        #expect(!response.text.contains("secret-key") && response.fields[.cacheControl] == "no-store")
        return code
    }

    @Test(
        "every fault of the API causes its problem in time, leaves no work behind, and has no effect after its end",
        arguments: [
            (Fault(.reset, on: .api), ["upstream-error"]), (Fault(.truncate, on: .api), ["upstream-invalid"]),
            (Fault(.wrongType, on: .api), ["upstream-invalid"]), (Fault(.empty, on: .api), ["upstream-invalid"]),
            (Fault(.malformed, on: .api), ["upstream-invalid"]), (Fault(.gzipBomb, on: .api), ["upstream-invalid"]),
            (Fault(.endlessBody, on: .api), ["upstream-invalid", "upstream-timeout"]),
            (Fault(.hangBefore, on: .api), ["upstream-timeout"]), (Fault(.hangInside, on: .api), ["upstream-timeout"]),
            (Fault(.drip, on: .api) { $0.bytes = 1 }, ["upstream-timeout"]),
            (Fault(.unauthorized, on: .api), ["upstream-credentials"]),
            (Fault(.forbiddenText, on: .api), ["upstream-rate-limited"]),
            (Fault(.forbiddenJSON, on: .api), ["upstream-credentials"]),
            (Fault(.tooManyRequests, on: .api) { $0.retryAfter = 7 }, ["upstream-rate-limited"]),
            (Fault(.serverError, on: .api), ["upstream-error"]),
            (Fault(.redirect, on: .api) { $0.location = "http://127.0.0.1:1/" }, ["upstream-invalid"]),
        ]
    )
    func api(fault: Fault, codes: [String]) async throws {
        try await LibraryFixture.with(photos: 60, timeouts: Self.impatient) { fixture in
            fixture.library.faults.add(fault)
            let start = ContinuousClock.now
            let response = try await fixture.get("/v1/photos")
            #expect(ContinuousClock.now - start < .seconds(20))
            let code = try #require(self.code(response))
            #expect(codes.contains(code))
            #expect(fixture.service.status.knownPhotos == 0)
            fixture.library.faults.clear()
            // Another page, because the failure of the first is remembered for some seconds.
            let next = try await fixture.get("/v1/photos?page=2&perPage=30")
            if code == "upstream-rate-limited" {
                #expect(self.code(next) == code, "no call for a minute")
                #expect(next.fields[.retryAfter] != nil)
            } else {
                #expect(try next.ids() == Array(fixture.library.photoIDs.dropFirst(30)))
            }
        }
    }

    @Test(
        "every fault of a picture causes its problem or truncates the response in time, and leaves no work behind",
        arguments: [
            (Fault(.reset, on: .images), ["upstream-error"]),
            // The file may end before the answer begins.
            (Fault(.truncate, on: .images), [nil, "upstream-error", "upstream-invalid"]),
            (Fault(.wrongType, on: .images), ["upstream-invalid"]), (Fault(.empty, on: .images), ["upstream-invalid"]),
            (Fault(.malformed, on: .images), ["upstream-invalid"]),
            (Fault(.gzipBomb, on: .images), ["upstream-invalid"]),
            (Fault(.pixelBomb, on: .images), ["image-rejected"]),
            (Fault(.endlessBody, on: .images), ["upstream-invalid", "upstream-timeout", "image-rejected"]),
            (Fault(.hangBefore, on: .images), ["upstream-timeout"]), (Fault(.hangInside, on: .images), [nil]),
            (Fault(.drip, on: .images) { $0.bytes = 1 }, [nil, "upstream-timeout"]),
            (Fault(.unauthorized, on: .images), ["upstream-error"]),
            (Fault(.forbiddenText, on: .images), ["upstream-error"]),
            (Fault(.forbiddenJSON, on: .images), ["upstream-error"]),
            (Fault(.tooManyRequests, on: .images), ["upstream-error"]),
            (Fault(.serverError, on: .images) { $0.status = 500 }, ["upstream-error"]),
            (Fault(.redirect, on: .images) { $0.location = "http://127.0.0.1:1/" }, ["image-rejected"]),
            (Fault(.redirect, on: .images) { $0.location = "http://169.254.169.254/" }, ["image-rejected"]),
        ]
    )
    func pictures(fault: Fault, codes: [String?]) async throws {
        try await LibraryFixture.with(photos: 30, timeouts: Self.impatient) { fixture in
            let id = try #require(try await fixture.get("/v1/photos").ids().first)
            fixture.library.faults.add(fault)
            let start = ContinuousClock.now
            let response = try await fixture.get("/v1/photos/\(id)/image/thumb")
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(codes.contains(code(response)), "\(response.status)")
            while fixture.service.status.flights > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(fixture.service.status.imageCache.entries == 0, "what was cut short is not kept")
            fixture.library.faults.clear()
            // Another form of the picture, because the failure of the first is remembered for some seconds.
            let other = try await fixture.get("/v1/photos/\(id)/image?w=200&q=50")
            #expect(other.status == .ok)
            #expect(other.bytes.count > 500)
        }
    }
}

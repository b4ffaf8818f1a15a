import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import Primitives
import TestSupport

/// The built-in library behind HTTP, in process.
struct LibraryFixture {
    let library: BuiltInLibrary
    let responder: LibraryResponder

    /// Creates a library with a stopped clock and no limit of calls; `change` modifies its configuration.
    init(
        clock: TestClock = .fixed(),
        requestsPerHour: Int? = nil,
        _ change: (inout BuiltInLibrary.Configuration) -> Void = { _ in }
    ) {
        var configuration = BuiltInLibrary.Configuration()
        configuration.now = { clock.now.milliseconds / 1000 }
        change(&configuration)
        library = BuiltInLibrary(configuration)
        responder = LibraryResponder(library, RateLimit(callsPerHour: requestsPerHour))
    }

    /// Sends a request; `key` is nil for a request without a key.
    func ask(_ target: String, key: String? = "any-key", method: HTTPRequest.Method = .get) async throws -> Response {
        var fields: Fields = [.host: "library.test:81"]
        fields[.authorization] = key.map { "Client-ID \($0)" }
        let request = Request(method: method, target: Target(target), fields: fields)
        return try await responder.respond(to: request).value()
    }
}

extension TestClock {
    /// A clock at 2024-12-09T11:20:00Z, twenty minutes past an hour.
    static func fixed() -> TestClock { TestClock(1_733_743_200) }
}

import BuiltInLibrary
import Foundation
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
    func ask(_ target: String, key: String? = "any-key", method: HTTPRequest.Method = .get) async throws -> Answer {
        var fields: Fields = [.host: "library.test:81"]
        fields[.authorization] = key.map { "Client-ID \($0)" }
        let request = Request(method: method, target: Target(target), fields: fields)
        let response = try await responder.respond(to: request).value()
        guard case .bytes(let bytes) = response.content else { throw JSONShape.unexpected("no bytes") }
        return Answer(status: response.status.code, fields: response.fields, bytes: bytes)
    }
}

/// A response with its content.
struct Answer {
    let status: Int
    let fields: Fields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func list() throws -> [[String: Any]] { try JSONShape.list(json()) }
    func object() throws -> [String: Any] { try JSONShape.object(json()) }

    private func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }
}

/// Views of parsed JSON that fail the test if a value is missing.
enum JSONShape: Error {
    case unexpected(String)

    static func list(_ value: Any?) throws -> [[String: Any]] { try view(value) }
    static func object(_ value: Any?) throws -> [String: Any] { try view(value) }
    static func text(_ value: Any?) throws -> String { try view(value) }
    static func integer(_ value: Any?) throws -> Int { try view(value) }

    private static func view<Value>(_ value: Any?) throws -> Value {
        guard let value = value as? Value else { throw unexpected("no \(Value.self): \(value ?? "nothing")") }
        return value
    }
}

extension TestClock {
    /// A clock at 2024-12-09T11:20:00Z, twenty minutes past an hour.
    static func fixed() -> TestClock { TestClock(1_733_743_200) }
}

import Foundation
import HTTPExchange
import HTTPTypes
import Primitives
import Sandbox
import Synchronization

/// A response of the sandbox in process, with its content read to the end.
struct Answer {
    var status: Int
    var fields: Fields
    var bytes: [UInt8]
    /// True if the content was truncated, as by a closed connection.
    var isBroken = false
    /// True if more content would follow later.
    var isPending = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func json() throws -> Any {
        try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    func list() throws -> [[String: Any]] {
        try JSONShape.list(json())
    }

    func object() throws -> [String: Any] {
        try JSONShape.object(json())
    }
}

/// Views of parsed JSON that fail the test if a value is missing.
enum JSONShape: Error {
    case unexpected(String)

    static func list(_ value: Any?) throws -> [[String: Any]] {
        guard let list = value as? [[String: Any]] else {
            throw unexpected("no list of objects: \(value ?? "nothing")")
        }
        return list
    }

    static func object(_ value: Any?) throws -> [String: Any] {
        guard let object = value as? [String: Any] else { throw unexpected("no object: \(value ?? "nothing")") }
        return object
    }

    static func text(_ value: Any?) throws -> String {
        guard let text = value as? String else { throw unexpected("no text: \(value ?? "nothing")") }
        return text
    }

    static func integer(_ value: Any?) throws -> Int {
        guard let integer = value as? Int else { throw unexpected("no integer: \(value ?? "nothing")") }
        return integer
    }
}

extension SandboxLibrary {
    /// Returns a library with a stopped clock and a high limit of calls; `change` modifies its configuration.
    convenience init(
        clock: ManualClock = ManualClock(),
        requestsPerHour: Int? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.now = { clock.now }
        configuration.requestsPerHour = requestsPerHour
        change(&configuration)
        self.init(configuration)
    }

    /// Sends a request in process; `key` is nil for a request without a key.
    func ask(
        _ target: String,
        key: String? = "any-key",
        method: HTTPRequest.Method = .get,
        host: String = "sandbox.test:81",
        content: String = "",
        contentType: String? = "application/json"
    ) async throws -> Answer {
        var fields: Fields = [.host: host]
        fields[.authorization] = key.map { "Client-ID \($0)" }
        if !content.isEmpty { fields[.contentType] = contentType }
        let request = Request(method: method, target: Target(target), fields: fields, content: Array(content.utf8))
        switch application.respond(to: request) {
        case .now(let response): return Answer(reading: response)
        case let promised: return Answer(reading: try await promised.value())
        }
    }
}

extension Answer {
    /// Reads a response like a server, and closes it.
    fileprivate init(reading response: Response) {
        self.init(status: response.status.code, fields: response.fields, bytes: [])
        switch response.content {
        case .none: break
        case .bytes(let content): bytes = content
        case .shared(let shared, let range): bytes = Array(shared.buffer[range])
        case .stream(let stream): read(stream)
        }
    }

    private mutating func read(_ stream: any ContentStream) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10_000, alignment: 1)
        defer {
            buffer.deallocate()
            stream.close()
        }
        // Endless content is read up to a limit.
        while bytes.count < 64 << 20 {
            switch stream.read(into: buffer, wake: {}) {
            case .copied(let count): bytes += buffer[..<count]
            case .finished: return
            case .pending:
                isPending = true
                return
            case .failed, .reset:
                isBroken = true
                return
            }
        }
    }
}

import Foundation
package import HTTPExchange
import HTTPTypes
package import JSON
import Primitives
import TestSupport
import Testing

/// What tests read of a response.
extension Response {
    /// The bytes of the content; none for a stream.
    package var bytes: [UInt8] {
        switch content {
        case .none, .stream: []
        case .bytes(let bytes): bytes
        case .shared(let bytes, let range): Array(bytes.buffer[range])
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func object() throws -> JSONObject { try JSON.parse(bytes).object() }

    /// The objects of a list.
    package func list() throws -> [JSONObject] { try JSON.parse(bytes).array().map { try $0.object() } }

    /// The content without the id of the request, which differs for each problem.
    package var textWithoutInstance: String {
        guard let instance = string("/instance") else { return text }
        return text.replacing(instance, with: "")
    }

    /// The content as an object of Foundation's JSON; empty if it is none.
    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }

    /// Returns the value at a JSON Pointer; nil if there is none.
    package func value(_ pointer: String) -> JSONValue? {
        guard var value = try? JSON.parse(bytes) else { return nil }
        for part in pointer.split(separator: "/") {
            if let index = Int(part), let array = try? value.array() {
                guard index < array.count else { return nil }
                value = array[index]
            } else {
                guard let member = try? value.object().first(where: { $0.name == part }) else { return nil }
                value = member.value
            }
        }
        return value
    }

    package func number(_ pointer: String) -> Double? { try? value(pointer)?.double() }
    package func string(_ pointer: String) -> String? { try? value(pointer)?.string() }
    package func bool(_ pointer: String) -> Bool? { try? value(pointer)?.bool() }
    package func count(_ pointer: String) -> Int? { try? value(pointer)?.array().count }

    /// The code of a problem; nil for another response.
    package var code: String? { string("/type").map { String($0.dropFirst("/problems/".count)) } }

    /// The JSON Pointer of a problem's first fault.
    package var pointer: String? { string("/errors/0/pointer") }

    /// The parameters and pointers in the errors of a problem.
    package var faults: [String] {
        (json["errors"] as? [[String: String]] ?? []).compactMap { $0["parameter"] ?? $0["pointer"] }
    }

    /// Returns the open stream of the response.
    package func stream() throws -> any ContentStream {
        #expect(status == 200)
        guard case .stream(let stream) = content else { throw NoStream() }
        return stream
    }

    private struct NoStream: Error {}
}

extension ContentStream {
    /// Reads the text that is there now; nil at the end of the stream.
    package func text() -> String? {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            switch read(into: buffer, wake: {}) {
            case .copied(let count): bytes += buffer[..<count]
            case .pending: return String(decoding: bytes, as: UTF8.self)
            case .finished, .failed, .reset: return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}

extension Promised {
    /// The value, for which the calling thread waits.
    package var waited: Value {
        get throws {
            switch self {
            case .now(let value): value
            case let promised: try waiting { try await promised.value() }
            }
        }
    }
}

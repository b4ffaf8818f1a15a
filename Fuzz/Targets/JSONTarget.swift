@testable import JSON

/// Compares the parser with the writer.
@Sendable
func fuzzJSON(_ bytes: [UInt8]) {
    do throws(JSONError) {
        let value = try JSON.parse(bytes)
        let written = rewritten(value)
        require(written.count <= 8 * bytes.count + 64, "\(bytes.count) bytes were written as \(written.count)")
        guard let again = try? JSON.parse(written) else { fail("the written document is refused") }
        require(isSame(value, again), "the written document has another value")
        require(rewritten(again) == written, "the same value is written differently")
    } catch {
        require(error.isMalformed, "a document is refused, but not as malformed")
        require(!error.detail.isEmpty, "the error has no detail")
        require(error.detail.utf8.count + error.pointer.utf8.count < 8 * bytes.count + 512, "the error is too long")
    }
}

/// Returns the document of a value.
func rewritten(_ value: JSONValue) -> [UInt8] {
    var json = JSONWriter()
    json.copy(value)
    return json.bytes
}

extension JSONWriter {
    /// Writes a value that was parsed.
    mutating func copy(_ source: JSONValue) {
        do throws(JSONError) {
            switch source.kind {
            case .null: null()
            case .bool: value(try source.bool())
            case .number:
                // Integers are written as integers, so that all 64 bits are kept.
                if let integer = try? source.integer() { value(integer) } else { value(try source.double()) }
            case .string: value(try source.string())
            case .array:
                let elements = try source.array()
                array { json in
                    for element in elements { json.copy(element) }
                }
            case .object:
                let members = try source.object()
                object { json in
                    for (name, member) in members {
                        json.key(name)
                        json.copy(member)
                    }
                }
            }
        } catch {
            fail("a value of kind \(source.kind) cannot be read as that kind: \(error)")
        }
    }
}

private func isSame(_ one: JSONValue, _ other: JSONValue) -> Bool {
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case .null: return true
    case .bool: return (try? one.bool()) == (try? other.bool())
    case .number: return isSameNumber(one, other)
    case .string:
        guard let one = try? one.string(), let other = try? other.string() else { return false }
        return one.utf8.elementsEqual(other.utf8)
    case .array:
        guard let one = try? one.array(), let other = try? other.array(), one.count == other.count else { return false }
        return zip(one, other).allSatisfy { isSame($0, $1) }
    case .object:
        guard let one = try? one.object(), let other = try? other.object(), one.count == other.count else {
            return false
        }
        return zip(one, other).allSatisfy { first, second in
            first.name.utf8.elementsEqual(second.name.utf8) && isSame(first.value, second.value)
        }
    }
}

private func isSameNumber(_ one: JSONValue, _ other: JSONValue) -> Bool {
    guard let first = try? one.double(), let second = try? other.double() else { return false }
    require(first.isFinite, "a number that is not finite")
    return first == second && (try? one.integer()) == (try? other.integer())
}

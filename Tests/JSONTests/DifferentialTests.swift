import Foundation
import JSON
import TestSupport
import Testing

/// Compares the parser with Foundation's.
@Suite("Differential")
struct DifferentialTests {
    @Test("Foundation reads the same values from the good documents", arguments: GoodDocuments.all)
    func sameValues(_ sample: Sample) throws {
        let theirs = try JSONSerialization.jsonObject(with: Data(sample.bytes), options: .fragmentsAllowed)
        #expect(Self.isSame(try JSON.parse(sample.bytes), theirs))
    }

    @Test("Foundation parses written documents to the same values", arguments: 1...20)
    func writing(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let document = RandomDocument.make(from: &generator)
            let theirs = try JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
            #expect(Self.isSame(try JSON.parse(document), theirs))
            #expect(try rewritten(document) == document)
        }
    }

    @Test("both parsers accept the same mutated documents, except for the listed differences", arguments: 1...20)
    func mutations(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<1000 {
            var document = RandomDocument.make(from: &generator)
            for _ in 0...Int.random(in: 0..<3, using: &generator) { Mutation.apply(to: &document, from: &generator) }
            let theirs = try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)
            do throws(JSONError) {
                let ours = try JSON.parse(document)
                #expect(theirs.map { Self.isSame(ours, $0) } == true, "\(String(decoding: document, as: UTF8.self))")
            } catch {
                refused += 1
                #expect(error.isMalformed)
                let isAlike = theirs == nil || Self.isListed(document, error)
                #expect(isAlike, "\(error): \(String(decoding: document, as: UTF8.self))")
            }
        }
        // Both accepted and refused documents must occur.
        #expect((200...950).contains(refused))
    }

    /// Returns whether only this parser refuses a document: with a byte order mark, a comma at the end, an integer of over
    /// 64 bits, a duplicate member, or too many levels.
    private static func isListed(_ document: [UInt8], _ error: JSONError) -> Bool {
        let text = String(decoding: document, as: UTF8.self)
        return document.starts(with: [0xEF, 0xBB, 0xBF])
            || text.contains(/,[ \t\r\n]*[\]}]/)
            || (error.detail.contains("must fit into 64 bits") && text.contains(/[0-9]{19}/))
            || error.detail == "is repeated"
            || error.detail == "must not have more than 64 levels"
    }

    private static func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours.kind {
        case .null: return theirs is NSNull
        case .bool: return (try? ours.bool()) == (theirs as? Bool)
        case .number: return isClose(try? ours.double(), (theirs as? NSNumber)?.doubleValue)
        case .string: return (try? ours.string()).map(withoutMarks) == (theirs as? String).map(withoutMarks)
        case .array:
            guard let ours = try? ours.array(), let theirs = theirs as? [Any] else { return false }
            return ours.count == theirs.count && zip(ours, theirs).allSatisfy(isSame)
        case .object:
            guard let ours = try? ours.object(), let theirs = theirs as? [String: Any] else { return false }
            let members = Dictionary(theirs.map { (withoutMarks($0), $1) }) { first, _ in first }
            // Names that differ only in normalisation are equal in Foundation, so a value may be that of the other
            // name.
            guard Set(ours.map { withoutMarks($0.name) }).count == ours.count else { return true }
            return ours.count == members.count
                && ours.allSatisfy { name, value in members[withoutMarks(name)].map { isSame(value, $0) } ?? false }
        }
    }

    /// Foundation converts many numbers from a decimal, and the result is not always the nearest double.
    private static func isClose(_ ours: Double?, _ theirs: Double?) -> Bool {
        guard let ours, let theirs else { return false }
        return ours == theirs || abs(ours - theirs) <= abs(ours) * 1e-13
    }

    /// Foundation drops a byte order mark at the start of a string.
    private static func withoutMarks(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\u{FEFF}" }))
    }
}

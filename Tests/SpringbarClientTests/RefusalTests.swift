import BarLayout
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// The cases of `Tests/Vectors/refusals.json`, which the service and the JavaScript client refuse.
///
/// In Swift most of them cannot be written: the types have no such value or member. The others are refused alike.
@Suite("Input that the service refuses")
struct RefusalTests {
    @Test("No event that the service refuses can be sent")
    func events() throws {
        let rows = try rows("events")
        var refused = 0
        for row in rows {
            let json = row["event"] ?? .null
            guard let event = try? BarEvent(json) else { continue }
            let sent = event.json(sequence: 1).members.filter { $0.name != "sequence" }
            guard JSONDocument.object(sent).isEqual(to: json) else { continue }
            var bar = BarMachine(try .feed())
            let problem = #expect(throws: Problem.self, "\(json.text)") { try bar.show(event, now: 0) }
            #expect(problem?.status == row["status"]?.integer && problem?.code == row["code"]?.string)
            #expect(problem?.faults.first?.pointer == row["pointer"]?.string)
            refused += 1
        }
        #expect(rows.count > 50 && refused > 0)
    }

    @Test("No tracks that the service refuses can be set")
    func tracks() throws {
        let rows = try rows("tracks")
        for row in rows {
            let members = row["tracks"]?.members ?? []
            guard !members.isEmpty, let changes = try? members.map({ try TrackChange($0) }) else { continue }
            guard changes.json.isEqual(to: row["tracks"] ?? .null) else { continue }
            var bar = BarMachine(try .feed())
            let problem = #expect(throws: Problem.self, "\(changes.json.text)") { try bar.setTracks(changes) }
            #expect(problem?.status == row["status"]?.integer && problem?.code == row["code"]?.string)
        }
        #expect(rows.count > 10)
    }

    private func rows(_ name: String) throws -> [JSONDocument] {
        let file = try JSONReader.document(Array(VectorFile.refusals.data()))
        return file[name]?.array ?? []
    }
}

extension JSONDocument {
    /// Whether the documents have the same members, in any order.
    fileprivate func isEqual(to other: JSONDocument) -> Bool {
        switch (self, other) {
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let mine), .object(let theirs)):
            mine.count == theirs.count
                && mine.allSatisfy { member in
                    theirs.contains { $0.name == member.name && $0.value.isEqual(to: member.value) }
                }
        default: self == other
        }
    }
}

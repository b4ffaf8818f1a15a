import JSON
import Testing

@Suite("Documents on many threads")
struct DocumentSharingTests {
    @Test("many threads can parse documents concurrently")
    func concurrency() async {
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<500 {
                        let number = task * 1000 + round
                        let text =
                            #"{"n":\#(number),"pad":"\#(String(repeating: "x", count: number % 700))","again":[\#(number)]}"#
                        if (try? isRight(text, number)) != true { wrong += 1 }
                        if (try? JSON.parse(Array(text.utf8.dropLast()))) != nil { wrong += 1 }
                    }
                    return wrong
                }
            }
            let wrong = await group.reduce(0, +)
            #expect(wrong == 0)
        }
    }

    /// Returns whether the document of a number has its values.
    private func isRight(_ text: String, _ number: Int) throws -> Bool {
        let object = try JSON.parse(Array(text.utf8)).object()
        return try object["n"].integer() == number && object["again"].array()[0].integer() == number
            && object["pad"].string().utf8.count == number % 700
    }

    @Test("many threads may read one document, and the last one releases it")
    func sharing() async throws {
        let numbers = (0..<1000).map(String.init).joined(separator: ",")
        let root = try JSON.parse(Array("[\(numbers)]".utf8))
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { try root.array().reduce(0) { try $0 + $1.integer() } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 499_500, count: 8))
    }
}

import Testing

@testable import JSON

@Suite("Parser pool")
struct ParserPoolTests {
    @Test("Documents on many threads do not meet")
    func concurrency() async {
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<500 {
                        let number = task * 1000 + round
                        let text =
                            #"{"n":\#(number),"pad":"\#(String(repeating: "x", count: number % 700))","again":[\#(number)]}"#
                        let isRight = try? JSON.parse(Array(text.utf8)) { root in
                            let object = try root.object()
                            return try object["n"].integer() == number && object["again"].array()[0].integer() == number
                                && object["pad"].string().utf8.count == number % 700
                        }
                        if isRight != true { wrong += 1 }
                        // An error gives its parser back too.
                        if (try? JSON.parse(Array(text.utf8.dropLast()))) != nil { wrong += 1 }
                    }
                    return wrong
                }
            }
            let wrong = await group.reduce(0, +)
            #expect(wrong == 0)
        }
        #expect(ParserPool.shared.count <= ParserPool.maximumIdle)
    }

    @Test("One document may be read on many threads, and the last one gives the parser back")
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

    @Test("A parser is used again")
    func reuse() {
        let pool = ParserPool()
        pool.give(pool.take())
        #expect(pool.count == 1)
        let parser = pool.take()
        #expect(pool.count == 0)
        pool.give(parser)
        #expect(pool.count == 1)
    }

    @Test("No more than the maximum is kept")
    func bound() {
        let pool = ParserPool()
        let parsers = (0..<ParserPool.maximumIdle + 5).map { _ in pool.take() }
        parsers.forEach(pool.give)
        #expect(pool.count == ParserPool.maximumIdle)
    }

    @Test("A parser that a large document has grown is not kept")
    func largeDocument() throws {
        let pool = ParserPool()
        func give(_ length: Int) throws {
            let parser = Parser()
            let document = Array(("\"" + String(repeating: "x", count: length - 2) + "\"").utf8)
            guard case .success = parser.parse(document) else {
                Issue.record("not parsed")
                return
            }
            pool.give(parser)
        }
        try give(ParserPool.maximumCapacity + 1)
        #expect(pool.count == 0)
        try give(ParserPool.maximumCapacity)
        #expect(pool.count == 1)
    }

    @Test("The buffers grow in steps and stay")
    func growth() {
        let parser = Parser()
        defer { parser.destroy() }
        #expect(parser.capacity == 0)
        for (length, capacity) in [(1, 4096), (4096, 4096), (4097, 8192), (10, 8192), (20_000, 32_768)] {
            let document = [UInt8](repeating: UInt8(ascii: "1"), count: 1) + [UInt8](repeating: 0x20, count: length - 1)
            _ = parser.parse(document)
            #expect(parser.capacity == capacity)
        }
    }
}

import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct QueryTests {
    private func query(_ text: String) throws(Problem) -> Query {
        try Query(Target("/?\(text)"), allowing: ["a", "b", "limit"])
    }

    /// Returns the status of the problem that `body` throws, and the text of its first fault.
    private func fault(_ body: () throws(Problem) -> Void) -> String? {
        do throws(Problem) {
            try body()
            return nil
        } catch {
            guard let first = error.errors.first, case .parameter(let name) = first.location else { return "no place" }
            return "\(error.status.code) \(name) \(first.detail)"
        }
    }

    // MARK: Reading

    @Test(
        "names and values are decoded as in forms",
        arguments: [
            ("a=x", "x"), ("a=x+y", "x y"), ("a=x%20y", "x y"), ("a=x%2By", "x+y"), ("a=%C3%A4", "ä"), ("%61=x", "x"),
            ("a=x=y", "x=y"), ("b=1&a=x", "x"), ("&a=x&&", "x"), ("a=x?y/z", "x?y/z"), ("a=ä", "ä"),
            // A combining mark makes one character of itself and the `=`.
            ("a=\u{301}x", "\u{301}x"),
        ]
    )
    func decoded(text: String, expected: String) throws {
        #expect(try query(text).string("a") == expected)
    }

    @Test("a missing query and an empty one have no parameters")
    func none() throws {
        for target in ["/", "/?", "/?&"] {
            let query = try Query(Target(target), allowing: ["a"])
            #expect(query.names.isEmpty)
            #expect(try query.string("a") == nil)
            #expect(!query.contains("a"))
        }
        #expect(try query("a=&b").names == ["a", "b"])
        #expect(try query("a=&b").contains("b"))
    }

    @Test(
        "an unknown, repeated or undecodable parameter is refused and named",
        arguments: [
            ("c=1", "400 c is unknown; the parameters are `a`, `b`, `limit`"),
            ("Limit=1", "400 Limit is unknown; use `limit`"),
            ("=1", "400  is unknown; the parameters are `a`, `b`, `limit`"),
            ("a=1&a=1", "400 a is repeated"),
            ("a=1&%61=2", "400 a is repeated"),
            ("a=%", "400 a is not percent-encoded UTF-8 text without control characters"),
            ("a=%zz", "400 a is not percent-encoded UTF-8 text without control characters"),
            ("a=%ff", "400 a is not percent-encoded UTF-8 text without control characters"),
            ("a=x%00y", "400 a is not percent-encoded UTF-8 text without control characters"),
            ("%ff=1", "400 %ff is not percent-encoded UTF-8 text without control characters"),
            ("a=1;b=2&c", "400 c is unknown; the parameters are `a`, `b`, `limit`"),
        ]
    )
    func refused(text: String, expected: String) {
        #expect(fault { () throws(Problem) in _ = try query(text) } == expected)
    }

    @Test("a name that is allowed twice is listed once")
    func sharedName() {
        let expected = "400 c is unknown; the parameters are `a`, `b`"
        let target = Target("/?c=1")
        #expect(fault { () throws(Problem) in _ = try Query(target, allowing: ["a", "b", "a"]) } == expected)
    }

    @Test("all faults are reported together, up to ten", arguments: ["x", "%ff", "%", "a", "a=%ff"])
    func allFaults(repeated: String) {
        let problem = #expect(throws: Problem.self) { try query("c=1&a=1&a=2&b=%ff") }
        #expect(problem?.errors.map(\.location) == [.parameter("c"), .parameter("a"), .parameter("b")])
        #expect(problem?.code == "invalid-query")
        let flood = #expect(throws: Problem.self) {
            try query((0..<5000).map { _ in repeated }.joined(separator: "&"))
        }
        #expect(flood?.errors.count == 10)
        #expect(flood.map { $0.moreFaults >= 4989 } == true)
        #expect(flood.map { $0.detail.utf8.count < 2000 } == true)
    }

    // MARK: Numbers

    @Test(
        "numbers have the grammar of JSON",
        arguments: [
            ("-1.5", -1.5), ("1e%2B3", 1000), ("12345678901234567890", 12_345_678_901_234_567_168), ("1e-999", 0),
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
        ]
    )
    func number(text: String, expected: Double) throws {
        #expect(try query("a=\(text)").double("a") == expected)
        #expect(try query("a=\(text)").requiredDouble("a") == expected)
    }

    @Test(
        "text that is not a number is 400, with a hint",
        arguments: [
            ("", "must be a number, and is empty"),
            ("0,5", "must be a number with a decimal point, not a comma"),
            ("1.000,5", "must be a number with a decimal point, not a comma"),
            ("1e999", "must be a number of a size that a double can hold"),
            ("-1e999", "must be a number of a size that a double can hold"),
            ("0x10", "must be a number, such as 0.5"), ("%2B1", "must be a number, such as 0.5"),
            ("+1", "must be a number; a `+` in a query means a space, write `%2B` or omit it"),
            ("1e+3", "must be a number; a `+` in a query means a space, write `%2B` or omit it"),
            ("%D9%A1", "must be a number, such as 0.5"), ("true", "must be a number, such as 0.5"),
        ]
    )
    func noNumber(text: String, expected: String) {
        #expect(fault { () throws(Problem) in _ = try query("a=\(text)").double("a") } == "400 a \(expected)")
    }

    @Test(
        "a number outside its range is 422, and the error names the range",
        arguments: [
            ("1.5", 0...1.0, "from 0 to 1"), ("-0.1", 0...1.0, "from 0 to 1"),
        ]
    )
    func range(text: String, range: ClosedRange<Double>, words: String) {
        let expected = "422 a must be \(words)"
        #expect(fault { () throws(Problem) in _ = try query("a=\(text)").double("a", in: range) } == expected)
    }

    @Test("the ends of a range belong to it")
    func ends() throws {
        #expect(try query("a=0&b=1").double("a", in: 0...1) == 0)
        #expect(try query("a=0&b=1").double("b", in: 0...1) == 1)
        #expect(try query("limit=1").integer("limit", in: 1...100) == 1)
        #expect(try query("limit=100").integer("limit", in: 1...100) == 100)
    }

    @Test(
        "an integer consists of digits only, without leading zeros",
        arguments: [
            ("10", nil), ("-1", "422 limit must be from 1 to 100"), ("101", "422 limit must be from 1 to 100"),
            ("99999999999999999999", "422 limit must be from 1 to 100"),
            ("1.0", "400 limit must be a whole number without leading zeros, such as 10"),
            ("", "400 limit must be a whole number without leading zeros, such as 10"),
            ("-", "400 limit must be a whole number without leading zeros, such as 10"),
            ("01", "400 limit must be a whole number without leading zeros, such as 10"),
        ] as [(String, String?)]
    )
    func integer(text: String, expected: String?) {
        let found = fault { () throws(Problem) in _ = try query("limit=\(text)").integer("limit", in: 1...100) }
        #expect(found == expected)
    }

    @Test("a list has numbers within the range, up to a maximum count")
    func doubles() throws {
        #expect(try query("a=0,0.016,-3e2").doubles("a", atMost: 3) == [0, 0.016, -300])
        #expect(try query("").doubles("a", atMost: 3) == nil)
        let faults = [
            ("a=1,2,3,4", "422 a has more than 3 values"), ("a=1,,2", "400 a has an empty value between its commas"),
            ("a=1,x", "400 a must be a number, such as 0.5"), ("a=1,9", "422 a must be from 0 to 5"),
            ("a=", "400 a is empty; omit it or give it a value"),
            ("a=1,2,3,4,,,,", "422 a has more than 3 values"),
        ]
        for (text, expected) in faults {
            let found = fault { () throws(Problem) in _ = try query(text).doubles("a", in: 0...5, atMost: 3) }
            #expect(found == expected)
        }
    }

    // MARK: Texts

    private enum Model: String, CaseIterable { case power, apple }

    @Test("errors of choices, booleans and lists name the allowed values")
    func texts() throws {
        #expect(try query("a=apple").choice("a", of: Model.self) == .apple)
        #expect(try query("").choice("a", of: Model.self) == nil)
        #expect(try query("a=true&b=false").bool("a") == true)
        #expect(try query("a=true&b=false").bool("b") == false)
        #expect(try query("a=x,y").list("a", atMost: 2) == ["x", "y"])
        #expect(try query("a=x%2Cy").list("a", atMost: 2) == ["x", "y"])
        let faults: [(String?, String)] = [
            (
                fault { () throws(Problem) in _ = try query("a=pear").choice("a", of: Model.self) },
                "422 a must be one of `power`, `apple`"
            ),
            (fault { () throws(Problem) in _ = try query("a=1").bool("a") }, "422 a must be `true` or `false`"),
            (
                fault { () throws(Problem) in _ = try query("a").string("a") },
                "400 a is empty; omit it or give it a value"
            ),
        ]
        for (found, expected) in faults { #expect(found == expected) }
    }

    @Test("a missing required parameter is 400")
    func missing() {
        let faults = [
            fault { () throws(Problem) in _ = try query("").requiredString("a") },
            fault { () throws(Problem) in _ = try query("b=1").requiredDouble("a") },
            fault { () throws(Problem) in _ = try query("b=1").requiredInteger("a", in: 0...9) },
        ]
        #expect(faults == Array(repeating: "400 a is missing", count: 3))
    }
}

import JSON
import TestSupport
import Testing

@Suite("Reading of numbers")
struct NumberReadingTests {
    @Test(
        "a double is the nearest to its text",
        arguments: [
            ("1e23", 1e23), ("9007199254740993", 9_007_199_254_740_992), ("-9223372036854775808", -0x1p63),
            ("2.4703282292062327e-324", 0), ("2.4703282292062328e-324", Double.leastNonzeroMagnitude),
        ]
    )
    func double(_ text: String, _ expected: Double) throws {
        #expect(try value(text).double() == expected)
    }

    @Test("any text of a number has the value that the standard library reads", arguments: 1...4)
    func differential(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &generator)).map { _ in String(generator.next() % 10) }.joined()
        }
        for _ in 0..<5000 {
            let whole = String(generator.next() % 100)
            let text = "\(whole).\(digits(1...40))e\(Int.random(in: -345...300, using: &generator))"
            #expect(try value(text).double() == Double(text), "\(text)")
        }
    }

    @Test("minus zero is read as zero", arguments: ["-0", "-0.0", "-0e-5", "-1e-999"])
    func minusZero(_ text: String) throws {
        #expect(try value(text).double().sign == .plus)
        #expect(try value(text).double(in: -1...1).sign == .plus)
        #expect(try value(text).integer() == 0)
    }

    @Test(
        "an integer may be written with a fraction of zero or an exponent",
        arguments: [
            ("200", 200), ("200.0", 200), ("2e2", 200), ("20000e-2", 200), ("-1.5e1", -15), ("0e9", 0),
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
            ("9007199254740993", 9_007_199_254_740_993), ("9007199254740991.0", 9_007_199_254_740_991),
        ]
    )
    func integer(_ text: String, _ expected: Int) throws {
        #expect(try value(text).integer() == expected)
    }

    @Test(
        "a fraction is not an integer, and one out of range is refused with the range",
        arguments: [
            (-1000...1000, "", ["0.5", "-200.25", "1e-1", "5e-324"]),
            (
                1...30, " from 1 to 30",
                ["0", "31", "-1", "30.5e1", "9223372036854775807", "9223372036854775808", "1e300", "-1e300"]
            ),
            (
                Int.min...Int.max, " from -9223372036854775808 to 9223372036854775807",
                ["9223372036854775808", "18446744073709551615", "1e19", "9007199254740992.0", "-9007199254740993.0"]
            ),
        ] as [(ClosedRange<Int>, String, [String])]
    )
    func refusedInteger(_ range: ClosedRange<Int>, _ ending: String, _ texts: [String]) throws {
        for text in texts { try refused("", "must be an integer" + ending) { try value(text).integer(in: range) } }
        for bound in [range.lowerBound, range.upperBound] {
            #expect(try value("\(bound)").integer(in: range) == bound)
        }
    }

    @Test("a double outside of a closed range is refused with the range")
    func doubleRange() throws {
        for text in ["-0.001", "1.5000000000000002", "1e308"] {
            try refused("", "must be from 0 to 1.5") { try value(text).double(in: 0...1.5) }
        }
        #expect(try value("0").double(in: 0...1.5) == 0)
        #expect(try value("1.5").double(in: 0...1.5) == 1.5)
        try refused("", "must be from -1e+300 to 0.25") { try value("1").double(in: -1e300...0.25) }
    }

    private func value(_ text: String) throws -> JSONValue {
        try JSON.parse(Array(text.utf8))
    }
}

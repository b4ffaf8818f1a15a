import Foundation
import JSON
import TestSupport
import Testing

@Suite("Writing of numbers")
struct DecimalTextTests {
    /// The samples of RFC 8785, appendix B, with the same format as in ECMAScript.
    static let canonical: [(UInt64, String)] = [
        (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
        (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
        (0x44B5_2D02_C7E1_4AF6, "1e+23"), (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
        (0x444B_1AE4_D6E2_EF50, "1e+21"), (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
        (0x3EB0_C6F7_A0B5_ED8D, "0.000001"), (0x41B3_DE43_5555_5553, "333333333.3333332"),
        (0x41B3_DE43_5555_5554, "333333333.33333325"), (0x41B3_DE43_5555_5555, "333333333.3333333"),
        (0x41B3_DE43_5555_5556, "333333333.3333334"), (0x41B3_DE43_5555_5557, "333333333.33333343"),
        (0xBECB_F647_612F_3696, "-0.0000033333333333333333"), (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ]

    /// The other samples, which ECMAScript pads with zeros: the same digits in scientific notation.
    static let wholeAndLarge: [(UInt64, String)] = [
        (0x4340_0000_0000_0000, "9.007199254740992e+15"), (0xC340_0000_0000_0000, "-9.007199254740992e+15"),
        (0x4430_0000_0000_0000, "2.9514790517935283e+20"), (0x444B_1AE4_D6E2_EF4E, "9.999999999999997e+20"),
        (0x444B_1AE4_D6E2_EF4F, "9.999999999999999e+20"),
    ]

    static let common: [(Double, String)] = [
        (200, "200"), (44.5, "44.5"), (-0.25, "-0.25"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"),
        (100, "100"), (1_000_000, "1000000"), (0.001, "0.001"), (0.000123, "0.000123"), (1e-5, "0.00001"),
        (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (123.000001, "123.000001"),
        (999_999_999.999999, "999999999.999999"), (1_000_000_000.5, "1000000000.5"),
        (9_007_199_254_740_991, "9007199254740991"), (-9_007_199_254_740_991, "-9007199254740991"),
        (4_503_599_627_370_495.5, "4503599627370495.5"), (1e16, "1e+16"), (1e100, "1e+100"), (-2.5e-10, "-2.5e-10"),
    ]

    @Test(
        "common numbers are written as usual, and the samples of RFC 8785 with its text, except for large integers",
        arguments: canonical + wholeAndLarge + common.map { ($0.bitPattern, $1) }
    )
    func samples(_ pattern: UInt64, _ text: String) {
        #expect(written { $0.value(Double(bitPattern: pattern)) } == text)
    }

    @Test(
        "an integer in quotes is its digits in quotes, for any number of digits",
        arguments: [0, 7, 10, 42, 999_999_999_999, 1_000_000_000_000, -999_999_999_999, .max, .min]
    )
    func quoted(_ number: Int) {
        #expect(DecimalText.quoted(number) == "\"\(number)\"")
    }

    @Test(
        "any finite double is parsed back to itself, and has the digits of the standard library's text",
        arguments: 1...8
    )
    func roundTrip(_ seed: UInt64) throws {
        func digits(_ text: String) -> String {
            let mantissa = text.lowercased().split(separator: "e")[0].filter(\.isNumber)
            return String(mantissa.trimmingCharacters(in: ["0"]))
        }
        var generator = SeededGenerator(seed: seed)
        for round in 0..<4000 {
            let value = Self.double(of: round % 6, from: &generator)
            let text = written { $0.value(value) }
            #expect(try JSON.parse(Array(text.utf8)).double() == value)
            #expect(Double(text) == value)
            #expect(digits(text) == digits(value.description))
        }
    }

    @Test("every number with up to six decimal places is written with these places")
    func decimals() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            let places = Int.random(in: 1...6, using: &generator)
            let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
            let whole =
                Int.random(in: 0..<1_000_000_000, using: &generator) >> Int.random(in: 0..<30, using: &generator)
            var fraction = Int.random(in: 1..<scale, using: &generator)
            if fraction % 10 == 0 { fraction += 1 }
            let digits = String(fraction)
            let text = "\(whole).\(String(repeating: "0", count: places - digits.count))\(digits)"
            // `Double(_:)` is correctly rounded, so this is the double nearest to the text.
            #expect(Double(text).map { value in written { $0.value(value) } } == text)
        }
    }

    @Test("integers are written in decimal")
    func integers() throws {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let value = Int(truncatingIfNeeded: generator.next()) >> Int.random(in: 0..<64, using: &generator)
            let text = written { $0.value(value) }
            #expect(text == String(value))
            #expect(try JSON.parse(Array(text.utf8)).integer() == value)
        }
    }

    /// A finite double: any bit pattern, a subnormal one, one near a whole one, a neighbour of a power of ten, a number
    /// of some places, a large whole one.
    private static func double(of kind: Int, from generator: inout SeededGenerator) -> Double {
        while true {
            let bits = generator.next()
            let value: Double
            switch kind {
            case 0: value = Double(bitPattern: bits)
            case 1: value = Double(bitPattern: bits & 0x800F_FFFF_FFFF_FFFF)
            case 2: value = Double(Int32(truncatingIfNeeded: bits)).nextUp
            case 3: value = [1, -1].randomElement(using: &generator)! * pow(10, Double(bits % 600) - 300).nextDown
            case 4: value = Double(Int32(truncatingIfNeeded: bits)) / pow(10, Double(bits >> 60))
            default: value = Double(Int64(truncatingIfNeeded: bits)) * Double(bits & 0xFF)
            }
            if value.isFinite { return value }
        }
    }

    @Test(
        "numbers in messages have no long rows of zeros",
        arguments: [
            (0.0, "0"), (60, "60"), (0.0005, "0.0005"), (1e6, "1e6"), (-1e9, "-1e9"), (2.5e8, "25e7"),
            (100_000, "100000"), (1_234_567, "1234567"), (1e300, "1e+300"), (1e-9, "1e-9"),
        ]
    )
    func brief(number: Double, text: String) {
        #expect(number.brief == text)
    }
}

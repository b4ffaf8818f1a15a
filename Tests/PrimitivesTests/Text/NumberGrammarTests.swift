import Primitives
import Testing

@Suite("The grammar of numbers")
struct NumberGrammarTests {
    @Test(
        "reads the numbers of JSON (RFC 8259, section 6)",
        arguments: [
            ("0", 0), ("9", 9), ("-0.5", -0.5), ("0.99", 0.99), ("1e3", 1000), ("1E+3", 1000), ("25e-1", 2.5),
            ("1e308", 1e308),
        ]
    )
    func numbers(text: String, number: Double) {
        #expect(NumberGrammar.double(text) == number)
    }

    @Test(
        "reads nothing else",
        arguments: [
            "", "-", "+1", ".5", "5.", "1e", "1e+", "e3", "0x1", "inf", "nan", "1,5", " 1", "1 ", "1e3.5", "--1",
            "1e999", "٣",
            "1:", "/", "01",
        ]
    )
    func others(text: String) {
        #expect(NumberGrammar.double(text) == nil)
    }

    @Test(
        "a whole number has only digits and a minus, and fits an integer",
        arguments: [
            ("0", 0), ("99", 99), ("-7", -7), ("9223372036854775807", .max), ("-9223372036854775808", .min), ("007", 7),
            ("9223372036854775808", nil), ("", nil), ("-", nil), ("+1", nil), ("1.0", nil), ("1e1", nil), ("1:", nil),
        ] as [(String, Int?)]
    )
    func whole(text: String, number: Int?) {
        #expect(NumberGrammar.integer(text) == number)
        #expect(NumberGrammar.isWhole(text) == (number != nil || text == "9223372036854775808"))
    }
}

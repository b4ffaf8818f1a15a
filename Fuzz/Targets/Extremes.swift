/// Numbers at which arithmetic, formatting and conversions fail.
enum Extremes {
    /// Numbers as text for a query or JSON.
    ///
    /// They are the smallest and largest doubles, powers of ten between them, both sides of every published limit,
    /// numbers that are not exact integers, and ordinary ones.
    static let numbers: [String] = [
        "0", "-0", "1", "-1", "0.5", "2", "10", "60", "100", "0.3", "0.8", "1.5", "20", "-20", "200", "1000",
        "5e-324", "2.2250738585072014e-308", "3.77e-307", "1e-300", "1e-200", "1e-160", "1e-154", "1e-100", "1e-70",
        "1e-50", "1e-30", "1e-20", "1e-16", "2.220446049250313e-16", "1e-14", "1e-12", "1e-10", "1e-9", "1e-8", "1e-6",
        "6.2e-5", "6.3e-5", "1e-4", "1e-3", "0.001", "0.002", "0.01", "0.05", "0.1", "0.9", "0.998", "0.999",
        "0.9999", "0.999999999", "0.9999999999999999", "1.0000000000000002", "1.000001", "1.1", "3", "4", "5", "7",
        "30", "59.999999999", "60.000001", "62831", "62832", "100.00000000000001", "255", "256", "500", "2000", "2001",
        "1e4", "65535", "65536", "1e5", "1e6", "1000001", "1e7", "1e8", "1e9", "-1e9", "1000000000.0000001", "1e10",
        "2147483647", "2147483648", "-2147483648", "4294967296", "1e12", "9007199254740991", "9007199254740993", "1e15",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "1e19", "1e20",
        "1e30", "1e50", "1e70", "1e100", "1e150", "1e154", "1e155", "1e200", "1e290", "1e300", "1e307", "1e308",
        "1.7976931348623157e308", "-1.7976931348623157e308", "-1e-9", "-1e-300", "-0.5", "-0.999999",
    ]

    /// Texts that are not finite numbers, or not numbers.
    static let notNumbers: [String] = [
        "", "nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "0x1p3", "+1", ".5", "1.", "01", "1,5", "1e", "--1",
        "true", "false", "null", "9999999999999999999999999999999999999999", "0.00000000000000000000000000000000001",
        "1.8e308", "%00", "%ff", "%2B1", "1%20", "text", String(repeating: "9", count: 4000),
        "0." + String(repeating: "3", count: 4000), "1e" + String(repeating: "0", count: 1000) + "1",
    ]
}

extension Input {
    /// Returns a number as text: an ordinary or extreme one, sometimes any double, rarely no number.
    mutating func number() -> String {
        let selector = byte()
        switch selector {
        case 0..<220: return Extremes.numbers[Int(selector) % Extremes.numbers.count]
        case 220..<250:
            let number = double()
            return number.isFinite ? "\(number)" : "1e308"
        default: return choice(Extremes.notNumbers)
        }
    }

    /// Returns a number that JSON can express.
    mutating func jsonNumber() -> String {
        let text = number()
        return Extremes.notNumbers.contains(text) ? "0" : text
    }
}

/// Numbers at and beyond the ends of every parameter's range, as text for a query.
///
/// Tests and fuzz targets send them for every parameter.
package enum ExtremeNumbers {
    /// Numbers that can be read, positive and negative.
    package static let numbers: [String] = {
        let magnitudes = [
            "0", "5e-324", "3.77e-307", "1e-307", "1e-100", "1e-70", "1e-14", "1e-9", "6.2e-5", "1e-4", "0.001", "0.1",
            "0.5", "1", "10", "60", "100", "1e3", "3600", "1e5", "1e6", "1e9", "1e12", "1e15", "1e100",
            "1.7976931348623157e308",
        ]
        return magnitudes + magnitudes.map { "-" + $0 }
    }()

    /// Texts that are not numbers, or that a double cannot hold.
    package static let others = [
        "", "1.8e308", "1e999", "-1e999", "nan", "inf", "-inf", "0x1p3", "1,5", "+1", "%2B1", "1e", ".5", "true",
        "text",
        "%00", "%ff", "1%20", String(repeating: "9", count: 4000), "0." + String(repeating: "3", count: 4000),
        "1e" + String(repeating: "0", count: 1000) + "1",
    ]

    /// All of them.
    package static let all = numbers + others
}

import Foundation
import Testing

/// Finds unchecked conversions from floating-point numbers to integers.
///
/// Such a conversion ends the process if the value is out of range.
///
/// The compiler finds them. Each module is type-checked with an added file that declares the same initializers as
/// deprecated. Declarations of the module take precedence over those of the standard library. Every call of such an
/// initializer therefore becomes a warning, whatever the form of its argument.
@Suite("Conversions to integers")
struct ConversionTests {
    static let modules: [String] = {
        let folder = Checkout.directory.appendingPathComponent("Sources")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { (try? Checkout.swiftFiles(below: "Sources/\($0)").isEmpty) == false }.sorted()
    }()

    @Test("Conversions to integers use `clamping`", arguments: modules)
    func conversions(module: String) throws {
        let files = try Checkout.swiftFiles(below: "Sources/\(module)").map(\.path)
        let found = try ConversionCheck.findings(in: files, module: module)
        #expect(found == [], "use Int.clamping(_:) of Primitives")
    }

    @Test(
        "Every form of an unchecked conversion is found",
        arguments: [
            "Int(x)", "Int(min(x, 3).rounded(.up))", "Int.init(x)", ".init(x)", "[x].map(Int.init)[0]", "Int(d / e)",
            "Int(Float(x))", "Int(UInt8(x))", "Int(Int64(x * 2))", "Int(Duration.seconds(x).components.seconds)",
            "Int(Duration.milliseconds(1 / x).components.seconds)",
        ]
    )
    func forms(expression: String) throws {
        #expect(try Self.findings(expression).count == 1, "\(expression)")
    }

    @Test(
        "Other expressions are not reported as conversions",
        arguments: ["Int(n)", "Int(\"1\")!", "Int(exactly: x)!", "Int(3)", "Int(n) + 2"]
    )
    func others(expression: String) throws {
        #expect(try Self.findings(expression) == [], "\(expression)")
    }

    /// Returns the findings in a function that returns an expression of a Double, two Durations and an integer.
    private static func findings(_ expression: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try "func f(_ x: Double, _ d: Duration, _ e: Duration, _ n: UInt8) -> Int { \(expression) }"
            .write(to: file, atomically: true, encoding: .utf8)
        return try ConversionCheck.findings(in: [file.path], module: "Planted")
    }
}

import Foundation
import Testing

/// Conversions from floating-point numbers to integers, which end the process for what does not fit.
///
/// The compiler finds them: each module is checked once more, beside a file that declares the same initializers as
/// deprecated. Declarations of the module itself come before those of the standard library, so that every call of such
/// an initializer, in whatever form and whatever its argument looks like, becomes a warning.
@Suite("Conversions to integers")
struct ConversionTests {
    static let modules: [String] = {
        let folder = Checkout.directory.appendingPathComponent("Sources")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { (try? Checkout.swiftFiles(below: "Sources/\($0)").isEmpty) == false }.sorted()
    }()

    @Test("go through `clamping`", arguments: modules)
    func conversions(module: String) throws {
        let files = try Checkout.swiftFiles(below: "Sources/\(module)").map(\.path)
        let found = try ConversionCheck.findings(in: files, module: module)
        #expect(found == [], "use Int.clamping(_:) of Primitives")
    }

    @Test(
        "are found in every form",
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
        "are not confused with others",
        arguments: ["Int(n)", "Int(\"1\")!", "Int(exactly: x)!", "Int(3)", "Int(n) + 2"]
    )
    func others(expression: String) throws {
        #expect(try Self.findings(expression) == [], "\(expression)")
    }

    /// The findings in a function that returns an expression of a Double, two Durations and an integer.
    private static func findings(_ expression: String) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try "func f(_ x: Double, _ d: Duration, _ e: Duration, _ n: UInt8) -> Int { \(expression) }"
            .write(to: file, atomically: true, encoding: .utf8)
        return try ConversionCheck.findings(in: [file.path], module: "Planted")
    }
}

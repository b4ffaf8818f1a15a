import Foundation
import TestSupport
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

    @Test("Conversions to integers use `clamping`")
    func conversions() async throws {
        #expect(Self.modules.count > 15)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for module in Self.modules {
                group.addTask {
                    let files = try Checkout.swiftFiles(below: "Sources/\(module)").map(\.path)
                    return try ConversionCheck.findings(in: files, module: module)
                }
            }
            for try await found in group { #expect(found == [], "use Int.clamping(_:) of Primitives") }
        }
    }

    private static let unchecked = [
        "Int(x)", "Int(min(x, 3).rounded(.up))", "Int.init(x)", ".init(x)", "[x].map(Int.init)[0]", "Int(d / e)",
        "Int(Float(x))", "Int(UInt8(x))", "Int(Int64(x * 2))", "Int(Duration.seconds(x).components.seconds)",
        "Int(Duration.milliseconds(1 / x).components.seconds)",
    ]
    private static let others = ["Int(n)", "Int(\"1\")!", "Int(exactly: x)!", "Int(3)", "Int(n) + 2"]

    @Test("Every form of an unchecked conversion is found, and no other expression is reported")
    func forms() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        // A function of a Double, two Durations and an integer on each line.
        let lines = (Self.unchecked + Self.others).enumerated().map { index, expression in
            "func f\(index)(_ x: Double, _ d: Duration, _ e: Duration, _ n: UInt8) -> Int { \(expression) }"
        }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let found = try ConversionCheck.findings(in: [file.path], module: "Planted").map { finding in
            finding.split(separator: ":").dropFirst().first.flatMap { Int($0) }
        }
        #expect(Set(found) == Set((1...Self.unchecked.count).map { $0 }))
    }
}

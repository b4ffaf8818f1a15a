package import Foundation

/// The golden cases in `Tests/Vectors`.
package enum VectorFile: String {
    case bar = "bar.json"
    case motion = "motion.json"

    /// The file as it stands in the checkout that this test was built from.
    package func data(from source: String = #filePath) throws -> Data {
        let tests = URL(fileURLWithPath: source).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("Vectors").appendingPathComponent(rawValue))
    }
}

package import Foundation

/// The golden cases in `Tests/Vectors`.
package enum VectorFile: String {
    case bar = "bar.json"
    case motion = "motion.json"

    /// The file as it stands in the checkout that this test was built from.
    package func data() throws -> Data {
        // The path of this very file: as a default argument it would be the caller's, at whatever depth.
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appendingPathComponent("Vectors").appendingPathComponent(rawValue))
    }
}

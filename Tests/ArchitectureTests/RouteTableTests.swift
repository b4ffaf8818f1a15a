import TestSupport
import Testing

/// A feature does not import the service, so its tests have a copy of its routes.
///
/// This test compares the copies.
@Suite("Routes in the tests of the features")
struct RouteTableTests {
    @Test(
        "The tests of a feature have its routes as the service does",
        arguments: [
            ("BarFeatureTests/BarAPI.swift", ["bars"]), ("MotionFeatureTests/MotionService.swift", ["motion"]),
            ("PhotosTests/PhotoApplication.swift", ["photos", "dropIn"]),
        ]
    )
    func routes(path: String, features: [String]) throws {
        let table = try routes(in: "Sources/SpringbarService/Routes.swift")
        let expected = features.flatMap { feature in
            table.filter { $0.contains(",\(feature).") }.map { $0.replacing(",\(feature).", with: ",") }
        }
        #expect(expected.count >= 10)
        #expect(try routes(in: "Tests/\(path)") == expected)
    }

    /// Returns the entries of a table, without white space.
    private func routes(in path: String) throws -> [String] {
        try Checkout.text(path).matches(of: /\s\.(?:get|post|put|delete)\(\s*"\/[^()]*\)/).map { match in
            match.0.filter { !$0.isWhitespace }
        }
    }
}

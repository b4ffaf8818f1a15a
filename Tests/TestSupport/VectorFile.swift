package import Foundation

/// The golden cases in `Tests/Vectors`.
package enum VectorFile: String {
    case bar = "bar.json"
    /// Bars with options, and their results to the last bit.
    case options = "options.json"
    case motion = "motion.json"
    /// Requests of springs and bars with answers that are known from public threads and the platforms' test suites.
    case publicCases = "public-cases.json"
    /// The session of a client: inputs, and the requests, reports and shown bars that follow.
    case session = "session.json"
    /// Input that the service and its clients refuse.
    case refusals = "refusals.json"

    /// Returns the file of the checkout that this test was built from.
    package func data() throws -> Data {
        try Data(contentsOf: Checkout.file("Tests/Vectors/\(rawValue)"))
    }
}

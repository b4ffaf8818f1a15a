import Foundation
import TestSupport
import Testing

/// The infrastructure reports; the service words it.
@Suite("Product words")
struct ProductWordTests {
    private static let modules = ["HTTPExchange", "JSON", "MicroHTTPServer", "Network", "Primitives", "RedisClient"]

    @Test("The infrastructure has no word of the product", arguments: modules)
    func infrastructure(module: String) throws {
        let files = try Checkout.swiftFiles(below: "Sources/\(module)")
        #expect(!files.isEmpty)
        for file in files {
            let found = Self.words(in: try String(contentsOf: file, encoding: .utf8))
            #expect(found == [], "\(module)/\(file.lastPathComponent)")
        }
    }

    @Test(
        "A word is found in comments, texts and names",
        arguments: [
            ("/// The events of a bar.", ["bar"]), ("\"SPRINGBAR_PORT is wrong\"", ["SPRINGBAR_"]),
            ("let barCount = photos.count", ["bar", "photos"]), ("BarSessionError", ["Bar"]),
            ("Unsplash's pages", ["Unsplash"]), ("case xSpring", ["Spring"]),
            // The prefix of our functions in C is none.
            ("barely, springbar_reader_free, isBare", []),
        ]
    )
    func forms(text: String, words: [String]) {
        #expect(Self.words(in: text) == words)
    }

    private static let product: Set = [
        "SPRINGBAR_", "bar", "bars", "photo", "photos", "picture", "pictures", "spring", "springs", "unsplash",
    ]

    /// Returns the product's words in a text, also those that are parts of names.
    private static func words(in text: String) -> [String] {
        text.matches(of: /SPRINGBAR_|[A-Z]?[a-z]+/).map { String($0.output) }
            .filter { product.contains($0) || product.contains($0.lowercased()) }
    }
}

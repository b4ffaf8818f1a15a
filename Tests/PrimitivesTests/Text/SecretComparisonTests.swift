import Primitives
import Testing

@Suite("Comparison with a secret")
struct SecretComparisonTests {
    @Test(
        "only the same bytes are equal, and nothing is equal to an empty secret",
        arguments: [
            ("secret", "secret", true), ("secres", "secret", false), ("Secret", "secret", false),
            ("secre", "secret", false),
            ("secretsecret", "secret", false), ("", "secret", false), ("secret", "", false), ("", "", false),
        ]
    )
    func equal(text: String, secret: String, isEqual: Bool) {
        #expect(Array(text.utf8).isEqual(toSecret: Array(secret.utf8)) == isEqual)
    }
}

/// How many photos a list of the library's has, as the library tells it.
package enum Total {
    /// More than any list has, and little enough to calculate with.
    package static let limit = 1_000_000_000

    /// What a field says; nil when it says no number.
    package static func reading(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.map(bounded)
    }

    /// A number within what can be: the library's mistakes must not overflow our sums.
    package static func bounded(_ number: Int) -> Int {
        min(limit, max(0, number))
    }
}

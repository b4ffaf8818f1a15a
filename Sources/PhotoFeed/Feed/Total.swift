/// The number of photos in a list, according to the library.
package enum Total {
    /// Above the length of any list, and small enough for sums.
    package static let limit = 1_000_000_000

    /// Reads a field; nil if it is not a number.
    package static func reading(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.map(bounded)
    }

    /// The number, clamped to what is possible, so that no error of the library overflows a sum.
    package static func bounded(_ number: Int) -> Int {
        min(limit, max(0, number))
    }
}

/// The grammar of numbers in queries and settings, which is that of JSON (RFC 8259, section 6).
///
/// It is narrower than that of Swift's initializers, which also read `+1`, `0x1p3`, `inf` and `nan`.
package enum NumberGrammar {
    /// Returns the number that `text` has; nil if it is not a number, or is too large for a double (`1e999`).
    package static func double(_ text: String) -> Double? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns the whole number that `text` has, leading zeros allowed; nil if it is not one, or does not fit.
    package static func integer(_ text: String) -> Int? {
        isWhole(text) ? Int(text) : nil
    }

    /// Returns whether `text` is decimal digits with an optional minus.
    ///
    /// Settings, ports and weights may begin with zeros, which `isNumber` refuses.
    package static func isWhole(_ text: String) -> Bool {
        let bytes = text.utf8
        let digits = bytes.dropFirst(bytes.first == UInt8(ascii: "-") ? 1 : 0)
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// Returns whether `text` is a number of any size.
    package static func isNumber(_ text: String) -> Bool {
        var unread = text.utf8[...]
        func skip(_ characters: String) -> Bool {
            guard let first = unread.first, characters.utf8.contains(first) else { return false }
            unread = unread.dropFirst()
            return true
        }
        func skipDigits() -> Bool {
            let digits = unread.prefix(while: isDigit)
            unread = unread.dropFirst(digits.count)
            return !digits.isEmpty
        }
        _ = skip("-")
        guard skip("0") || skipDigits() else { return false }
        if skip("."), !skipDigits() { return false }
        if skip("eE") {
            _ = skip("+-")
            guard skipDigits() else { return false }
        }
        return unread.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

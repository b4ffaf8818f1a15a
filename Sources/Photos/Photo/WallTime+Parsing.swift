import Glibc
package import Primitives

extension WallTime {
    /// Parses a moment as RFC 3339 writes it (section 5.6), such as `2019-02-18T18:20:08-05:00`, in whole seconds.
    ///
    /// A fraction of a second is cut off. Returns nil for other text, and for a year in UTC beyond 0 to 9999.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func digit(at index: Int) -> Int? {
            guard index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[index] else { return nil }
            return Int(bytes[index] - UInt8(ascii: "0"))
        }
        func number(at start: Int, digits: Int = 2, in range: ClosedRange<Int>) -> Int? {
            var number = 0
            for index in start..<start + digits {
                guard let digit = digit(at: index) else { return nil }
                number = number * 10 + digit
            }
            return range ~= number ? number : nil
        }
        func has(_ characters: String, at index: Int) -> Bool {
            index < bytes.count && characters.utf8.contains(bytes[index])
        }
        guard let year = number(at: 0, digits: 4, in: 0...9999), has("-", at: 4),
            let month = number(at: 5, in: 1...12), has("-", at: 7),
            let day = number(at: 8, in: 1...31), has("Tt", at: 10),
            let hour = number(at: 11, in: 0...23), has(":", at: 13),
            let minute = number(at: 14, in: 0...59), has(":", at: 16),
            // 60 is a leap second; POSIX time counts it as the first second of the next minute.
            let second = number(at: 17, in: 0...60)
        else { return nil }
        var end = 19
        if has(".", at: end) {
            guard digit(at: 20) != nil else { return nil }
            end = 21
            while digit(at: end) != nil { end += 1 }
        }
        var offset = 0
        if has("Zz", at: end) {
            end += 1
        } else {
            guard has("+-", at: end), let hours = number(at: end + 1, in: 0...23), has(":", at: end + 3),
                let minutes = number(at: end + 4, in: 0...59)
            else { return nil }
            offset = (hours * 3600 + minutes * 60) * (has("-", at: end) ? -1 : 1)
            end += 6
        }
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        let seconds = timegm(&date) + hour * 3600 + minute * 60 + second - offset
        // timegm(3) makes 1 March of 30 February.
        guard end == bytes.count, Int(date.tm_mday) == day, WallTime.writable ~= seconds else { return nil }
        self.init(milliseconds: seconds * 1000)
    }

    /// The seconds from the start of the year 0 to the end of the year 9999.
    private static let writable = -62_167_219_200...253_402_300_799
}

import Glibc
package import Primitives

extension WallTime {
    /// Parses a moment as RFC 3339 writes it (section 5.6), such as `2019-02-18T18:20:08-05:00`, in whole seconds.
    ///
    /// A fraction of a second is cut off. Returns nil for other text, and for a year in UTC beyond 0 to 9999.
    package init?(rfc3339 text: String) {
        var bytes = Array(text.utf8)
        func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
        if bytes.dropFirst(19).first == UInt8(ascii: ".") {
            let digits = bytes.dropFirst(20).prefix(while: isDigit).count
            guard digits > 0 else { return nil }
            bytes.removeSubrange(19..<20 + digits)
        }
        let shape = String(decoding: bytes.map { isDigit($0) ? UInt8(ascii: "0") : $0 }, as: UTF8.self).uppercased()
        guard ["Z", "+00:00", "-00:00"].contains(where: { shape == "0000-00-00T00:00:00" + $0 }) else { return nil }
        let numbers = bytes.split { !isDigit($0) }.map { $0.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
        let (hours, minutes) = numbers.count == 8 ? (numbers[6], numbers[7]) : (0, 0)
        // 60 is a leap second; POSIX time counts it as the first second of the next minute.
        guard 1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60, hours < 24, minutes < 60
        else { return nil }
        let offset = (hours * 3600 + minutes * 60) * (bytes[19] == UInt8(ascii: "-") ? -1 : 1)
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year) - 1900, Int32(month) - 1, Int32(day))
        let seconds = timegm(&date) + hour * 3600 + minute * 60 + second - offset
        // timegm(3) makes 1 March of 30 February.
        guard Int(date.tm_mday) == day, WallTime.writable ~= seconds else { return nil }
        self.init(milliseconds: seconds * 1000)
    }

    /// The seconds from the start of the year 0 to the end of the year 9999.
    private static let writable = -62_167_219_200...253_402_300_799
}

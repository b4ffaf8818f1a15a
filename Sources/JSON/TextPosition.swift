/// A place in a text as editors tell it: everything is counted from 1.
struct TextPosition: Equatable, CustomStringConvertible {
    /// Lines end with a line feed, with a carriage return before it or not.
    let line: Int
    /// In characters (Unicode scalars), not in bytes.
    let column: Int
    /// In bytes, from the beginning of the text.
    let byte: Int

    /// The place behind the first `offset` bytes, which have to be UTF-8.
    init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<offset]
        let lineFeed = UInt8(ascii: "\n")
        let start = before.lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
        line = 1 + before.count { $0 == lineFeed }
        // Every byte but those that continue a character (RFC 3629, section 3: 10xxxxxx).
        column = 1 + before[start...].count { $0 & 0xC0 != 0x80 }
        byte = 1 + offset
    }

    var description: String { "line \(line), column \(column) (byte \(byte))" }
}

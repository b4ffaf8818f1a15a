/// Reads numbers from the beginning of a file; nil behind its end.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: valid for as long as the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    func byte(_ position: Int) -> Int? {
        bytes.indices.contains(position) ? Int(bytes[position]) : nil
    }

    func has(_ expected: some Collection<UInt8>, at position: Int) -> Bool {
        position + expected.count <= bytes.count && bytes[position...].starts(with: expected)
    }

    func has(_ expected: String, at position: Int) -> Bool {
        has(Array(expected.utf8), at: position)
    }

    func big16(_ position: Int) -> Int? { number(position, 2, bigEndian: true) }
    func big32(_ position: Int) -> Int? { number(position, 4, bigEndian: true) }
    func little16(_ position: Int) -> Int? { number(position, 2, bigEndian: false) }
    func little24(_ position: Int) -> Int? { number(position, 3, bigEndian: false) }
    func little32(_ position: Int) -> Int? { number(position, 4, bigEndian: false) }

    private func number(_ position: Int, _ count: Int, bigEndian: Bool) -> Int? {
        guard position >= 0, position <= bytes.count - count else { return nil }
        let digits = bytes[position..<position + count]
        let value =
            bigEndian ? digits.reduce(0) { $0 << 8 | Int($1) } : digits.reversed().reduce(0) { $0 << 8 | Int($1) }
        return value
    }

    enum Box {
        /// The content of the box.
        case found(Range<Int>)
        case missing
        case needsMore
    }

    /// The first box of this name among those that begin at `start` (ISO/IEC 14496-12, section 4.2).
    func box(_ name: String, from start: Int, to end: Int) -> Box {
        var position = start
        while position <= end - 8 {
            guard let length = big32(position), byte(position + 7) != nil else { return .needsMore }
            // 0 (to the end of the file) and 1 (a 64-bit length) are for media data, which has no size in it.
            guard length >= 8, length <= end - position else { return .missing }
            if has(name, at: position + 4) { return .found(position + 8..<position + length) }
            position += length
        }
        return .missing
    }
}

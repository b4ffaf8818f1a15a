/// The type of a picture, by its magic number, and its size in pixels, both read from its first bytes.
///
/// The fields of the response are not trusted: an HTML page may have the status 200 and the type `image/jpeg`, and a
/// file of one megabyte may decode to a hundred megapixels.
package struct PictureHeader: Sendable, Equatable {
    package let type: PictureType
    package let size: PixelSize

    package init(type: PictureType, size: PixelSize) {
        self.type = type
        self.size = size
    }

    package enum Reading: Sendable, Equatable {
        case header(PictureHeader)
        /// The bytes end before the size.
        case needsMore
        case unknownType
    }

    /// The number of bytes in which the size must be found; a profile or a thumbnail may precede it.
    package static let searchedBytes = 262_144

    /// Reads the beginning of a file; the result may be that more bytes are needed.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        let reader = FileBytes(bytes)
        if reader.has([0xff, 0xd8, 0xff], at: 0) { return jpeg(reader) }
        if reader.has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], at: 0) { return png(reader) }
        if reader.has("GIF87a", at: 0) || reader.has("GIF89a", at: 0) { return gif(reader) }
        if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) { return webp(reader) }
        if reader.has("ftyp", at: 4) { return avif(reader) }
        return bytes.count < 12 ? .needsMore : .unknownType
    }

    /// Reads the beginning of a file; the result may be that more bytes are needed.
    package static func read(_ bytes: [UInt8]) -> Reading {
        bytes.withUnsafeBytes { read($0) }
    }

    private static func found(_ type: PictureType, _ width: Int?, _ height: Int?) -> Reading {
        guard let width, let height else { return .needsMore }
        guard width > 0, height > 0 else { return .unknownType }
        return .header(PictureHeader(type: type, size: PixelSize(width: width, height: height)))
    }

    /// ITU T.81, annex B: segments of a marker and a length, until one of the frame headers.
    private static func jpeg(_ reader: FileBytes) -> Reading {
        var position = 2
        while true {
            guard let mark = reader.byte(position), let code = reader.byte(position + 1) else { return .needsMore }
            guard mark == 0xff else { return .unknownType }
            switch code {
            case 0xff:
                // A fill byte before a marker.
                position += 1
            case 0x01, 0xd0...0xd8:
                position += 2
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
                return found(.jpeg, reader.big16(position + 7), reader.big16(position + 5))
            case 0xd9, 0xda:
                // The picture ends, or its data begins, without a frame header.
                return .unknownType
            default:
                guard let length = reader.big16(position + 2) else { return .needsMore }
                guard length >= 2 else { return .unknownType }
                position += 2 + length
            }
        }
    }

    /// RFC 2083, section 4.1.1: IHDR comes first.
    private static func png(_ reader: FileBytes) -> Reading {
        guard reader.byte(23) != nil else { return .needsMore }
        guard reader.has("IHDR", at: 12) else { return .unknownType }
        return found(.png, reader.big32(16), reader.big32(20))
    }

    /// The logical screen descriptor.
    private static func gif(_ reader: FileBytes) -> Reading {
        found(.gif, reader.little16(6), reader.little16(8))
    }

    /// RFC 9649: lossy (`VP8 `, a key frame), lossless (`VP8L`) and extended (`VP8X`).
    private static func webp(_ reader: FileBytes) -> Reading {
        guard reader.byte(29) != nil else { return .needsMore }
        if reader.has("VP8X", at: 12) {
            return found(.webp, reader.little24(24).map { $0 + 1 }, reader.little24(27).map { $0 + 1 })
        }
        if reader.has("VP8L", at: 12), reader.byte(20) == 0x2f, let bits = reader.little32(21) {
            return found(.webp, (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
        }
        if reader.has("VP8 ", at: 12), reader.has([0x9d, 0x01, 0x2a], at: 23) {
            return found(.webp, reader.little16(26).map { $0 & 0x3fff }, reader.little16(28).map { $0 & 0x3fff })
        }
        return .unknownType
    }

    /// ISO/IEC 23008-12: boxes, of which `ispe` in `meta`, `iprp`, `ipco` has a size.
    ///
    /// A grid of tiles has one
    /// for each kind of tile and one for the whole, which is the greatest.
    private static func avif(_ reader: FileBytes) -> Reading {
        guard let end = reader.big32(0) else { return .needsMore }
        guard end >= 16, end <= 4096 else { return .unknownType }
        guard reader.byte(end - 1) != nil else { return .needsMore }
        let brands = [8] + stride(from: 16, to: end - 3, by: 4)
        guard brands.contains(where: { reader.has("avif", at: $0) || reader.has("avis", at: $0) }) else {
            return .unknownType
        }
        switch reader.box("meta", from: end, to: .max) {
        case .missing: return .unknownType
        case .needsMore: return .needsMore
        case .found(let meta):
            guard reader.byte(meta.upperBound - 1) != nil else { return .needsMore }
            // `meta` is a full box: four bytes of version and flags come first.
            guard case .found(let properties) = reader.box("iprp", from: meta.lowerBound + 4, to: meta.upperBound),
                case .found(let list) = reader.box("ipco", from: properties.lowerBound, to: properties.upperBound)
            else { return .unknownType }
            var greatest = PixelSize(width: 0, height: 0)
            var start = list.lowerBound
            while case .found(let extents) = reader.box("ispe", from: start, to: list.upperBound) {
                if let width = reader.big32(extents.lowerBound + 4), let height = reader.big32(extents.lowerBound + 8) {
                    let size = PixelSize(width: width, height: height)
                    if size.area > greatest.area { greatest = size }
                }
                start = extents.upperBound
            }
            return found(.avif, greatest.width, greatest.height)
        }
    }
}

/// The first bytes of a file, with numbers at any position; nil after the end.
struct FileBytes {
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: valid for as long as this value is used.
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

/// The picture formats that are served, by their media types.
package enum PictureType: String, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case avif = "image/avif"
}

package struct PixelSize: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    package var area: Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : area
    }
}

/// The type of a picture, by its magic number, and its size in pixels, both read from its first bytes.
///
/// The fields of the response are not trusted: an HTML page may have the status 200 and the type `image/jpeg`, and a
/// file of one megabyte may decode to a hundred megapixels.
package struct PictureHeader: Sendable, Equatable {
    package let type: PictureType
    package let size: PixelSize

    package enum Reading: Sendable, Equatable {
        case header(PictureHeader)
        /// The bytes end before the size.
        case needsMore
        case unknownType
    }

    /// The number of bytes in which the size must be found; a profile or a thumbnail may precede it.
    package static let searchedBytes = 262_144

    /// Reads the beginning of a file.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        do throws(FileBytes.Fault) {
            let file = FileBytes(bytes: bytes)
            guard let (type, size) = try typeAndSize(file), size.width > 0, size.height > 0 else { return .unknownType }
            return .header(PictureHeader(type: type, size: size))
        } catch {
            return .needsMore
        }
    }

    package static func read(_ bytes: [UInt8]) -> Reading { bytes.withUnsafeBytes { read($0) } }

    private static func typeAndSize(_ file: FileBytes) throws(FileBytes.Fault) -> (PictureType, PixelSize)? {
        if file.has([0xff, 0xd8, 0xff], at: 0) { return try jpeg(file).map { (.jpeg, $0) } }
        let isPNG = file.has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], at: 0)
        if isPNG { return try png(file).map { (.png, $0) } }
        if file.has("RIFF".utf8, at: 0), file.has("WEBP".utf8, at: 8) { return try webp(file).map { (.webp, $0) } }
        if file.has("ftyp".utf8, at: 4) { return try avif(file).map { (.avif, $0) } }
        // No magic number is longer.
        _ = try file.byte(11)
        return nil
    }

    /// ITU T.81, annex B: segments of a marker and a length, until one of the frame headers.
    private static func jpeg(_ file: FileBytes) throws(FileBytes.Fault) -> PixelSize? {
        var position = 2
        while true {
            let (mark, code) = (try file.byte(position), try file.byte(position + 1))
            guard mark == 0xff else { return nil }
            switch code {
            // A fill byte before a marker.
            case 0xff: position += 1
            case 0x01, 0xd0...0xd8: position += 2
            case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
                return PixelSize(width: try file.big(2, at: position + 7), height: try file.big(2, at: position + 5))
            // The picture ends, or its data begins, without a frame header.
            case 0xd9, 0xda: return nil
            default:
                let length = try file.big(2, at: position + 2)
                guard length >= 2 else { return nil }
                position += 2 + length
            }
        }
    }

    /// RFC 2083, section 4.1.1: IHDR comes first.
    private static func png(_ file: FileBytes) throws(FileBytes.Fault) -> PixelSize? {
        let size = PixelSize(width: try file.big(4, at: 16), height: try file.big(4, at: 20))
        return file.has("IHDR".utf8, at: 12) ? size : nil
    }

    /// RFC 9649: lossy (`VP8 `, a key frame), lossless (`VP8L`) and extended (`VP8X`).
    private static func webp(_ file: FileBytes) throws(FileBytes.Fault) -> PixelSize? {
        _ = try file.byte(29)
        if file.has("VP8X".utf8, at: 12) {
            return PixelSize(width: try file.little(3, at: 24) + 1, height: try file.little(3, at: 27) + 1)
        }
        if file.has("VP8L".utf8, at: 12), try file.byte(20) == 0x2f {
            let bits = try file.little(4, at: 21)
            return PixelSize(width: (bits & 0x3fff) + 1, height: (bits >> 14 & 0x3fff) + 1)
        }
        if file.has("VP8 ".utf8, at: 12), file.has([0x9d, 0x01, 0x2a], at: 23) {
            let (width, height) = (try file.little(2, at: 26), try file.little(2, at: 28))
            return PixelSize(width: width & 0x3fff, height: height & 0x3fff)
        }
        return nil
    }

    /// ISO/IEC 23008-12: boxes, of which `ispe` in `meta`, `iprp`, `ipco` has a size.
    ///
    /// A grid of tiles has one for each kind of tile and one for the whole, which is the greatest.
    private static func avif(_ file: FileBytes) throws(FileBytes.Fault) -> PixelSize? {
        let end = try file.big(4, at: 0)
        guard 16...4096 ~= end else { return nil }
        _ = try file.byte(end - 1)
        let brands = [8] + stride(from: 16, to: end - 3, by: 4)
        guard brands.contains(where: { file.has("avif".utf8, at: $0) || file.has("avis".utf8, at: $0) }),
            let meta = try file.box("meta", in: end..<Int.max)
        else { return nil }
        _ = try file.byte(meta.upperBound - 1)
        // `meta` is a full box: four bytes of version and flags come first.
        let properties = try file.box("iprp", in: meta.dropFirst(4))
        guard let properties, let list = try file.box("ipco", in: properties) else { return nil }
        var greatest: PixelSize?
        var unread = list
        while let extents = try file.box("ispe", in: unread) {
            unread = extents.upperBound..<list.upperBound
            guard extents.count >= 12 else { continue }
            let (width, height) = (extents.lowerBound + 4, extents.lowerBound + 8)
            let size = PixelSize(width: try file.big(4, at: width), height: try file.big(4, at: height))
            if size.area > greatest?.area ?? 0 { greatest = size }
        }
        return greatest
    }
}

/// The first bytes of a file, with numbers at any position.
struct FileBytes {
    /// Valid for as long as this value is used.
    let bytes: UnsafeRawBufferPointer

    /// The bytes end before the position.
    enum Fault: Error {
        case needsMore
    }

    func byte(_ position: Int) throws(Fault) -> Int { try big(1, at: position) }

    func has(_ expected: some Collection<UInt8>, at position: Int) -> Bool {
        position + expected.count <= bytes.count && bytes[position...].starts(with: expected)
    }

    /// The big-endian number of `count` bytes.
    func big(_ count: Int, at position: Int) throws(Fault) -> Int {
        guard position >= 0, position <= bytes.count - count else { throw .needsMore }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The little-endian number of `count` bytes.
    func little(_ count: Int, at position: Int) throws(Fault) -> Int {
        guard position >= 0, position <= bytes.count - count else { throw .needsMore }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The content of the first box of this name in a range (ISO/IEC 14496-12, section 4.2); nil without one.
    func box(_ name: String, in range: Range<Int>) throws(Fault) -> Range<Int>? {
        var position = range.lowerBound
        while position <= range.upperBound - 8 {
            let length = try big(4, at: position)
            _ = try byte(position + 7)
            // 0 (to the end of the file) and 1 (a 64-bit length) are for media data, which has no size in it.
            guard length >= 8, length <= range.upperBound - position else { return nil }
            if has(name.utf8, at: position + 4) { return position + 8..<position + length }
            position += length
        }
        return nil
    }
}

extension PictureType {
    /// Whether a file has its end: a server may lose the rest of a file and declare the length of the beginning.
    func isComplete(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let file = FileBytes(bytes: bytes)
        do throws(FileBytes.Fault) {
            return switch self {
            case .jpeg: PictureType.hasEndOfImage(file)
            case .png: try PictureType.hasEndChunk(file)
            // RFC 9649, section 2.4: the size is that of the file without its first eight bytes.
            case .webp: try file.little(4, at: 4) <= bytes.count - 8
            case .avif: try PictureType.hasWholeBoxes(file)
            }
        } catch {
            return false
        }
    }

    /// ITU T.81, section B.1.1.3: the marker EOI, which only a thumbnail within the picture has, too.
    private static func hasEndOfImage(_ file: FileBytes) -> Bool {
        // Few programs write more behind it.
        let tail = file.bytes.suffix(256)
        return zip(tail, tail.dropFirst()).contains { $0 == 0xff && $1 == 0xd9 }
    }

    /// RFC 2083, section 3.2: chunks of a length, a name, the content and a checksum, of which IEND is the last.
    private static func hasEndChunk(_ file: FileBytes) throws(FileBytes.Fault) -> Bool {
        var position = 8
        while true {
            let length = try file.big(4, at: position)
            _ = try file.byte(position + length + 11)
            if file.has("IEND".utf8, at: position + 4) { return true }
            position += length + 12
        }
    }

    /// ISO/IEC 14496-12, section 4.2: boxes, each with its length; 0 is the rest of the file, 1 precedes a longer number.
    private static func hasWholeBoxes(_ file: FileBytes) throws(FileBytes.Fault) -> Bool {
        var position = 0
        while position < file.bytes.count {
            var length = try file.big(4, at: position)
            if length == 0 { return true }
            if length == 1 {
                // A longer file is not read.
                guard try file.big(4, at: position + 8) == 0 else { return false }
                length = try file.big(4, at: position + 12)
            }
            guard length >= 8 else { return false }
            position += length
        }
        return position == file.bytes.count
    }
}

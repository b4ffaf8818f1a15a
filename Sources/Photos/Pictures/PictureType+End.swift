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

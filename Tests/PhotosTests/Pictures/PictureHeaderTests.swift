import Photos
import PictureCoding
import Testing

@Suite("PictureHeader")
struct PictureHeaderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let type: PictureType
        let size: PixelSize
    }

    /// A box of an AVIF file (ISO/IEC 14496-12, section 4.2).
    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let length = UInt32(content.count + 8)
        return [UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255)]
            + Array(name.utf8) + content
    }

    private static func extents(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        box("ispe", [0, 0, 0, 0, 0, 0, width, 1, 0, 0, height, 1])
    }

    /// Written by hand from the specifications of the formats: the smallest headers with a size.
    static let samples = [
        Sample(
            testDescription: "JPEG, baseline, behind a comment and fill bytes",
            bytes: [0xff, 0xd8, 0xff, 0xfe, 0, 4, 65, 66, 0xff, 0xff, 0xc0, 0, 17, 8, 0x0b, 0xb8, 0x0f, 0xa0, 3],
            type: .jpeg,
            size: PixelSize(width: 4000, height: 3000)
        ),
        Sample(
            testDescription: "JPEG, progressive, behind a profile",
            bytes: [0xff, 0xd8, 0xff, 0xe1, 0x03, 0x02] + Array(repeating: 0xff, count: 768)
                + [0xff, 0xc2, 0, 17, 8, 0, 10, 0, 20],
            type: .jpeg,
            size: PixelSize(width: 20, height: 10)
        ),
        Sample(
            testDescription: "PNG",
            bytes: PNG.encode(Array(repeating: RGB(1, 2, 3), count: 12), width: 4, height: 3),
            type: .png,
            size: PixelSize(width: 4, height: 3)
        ),
        Sample(
            testDescription: "WebP, lossy",
            bytes: Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8)
                + [1, 1, 1, 1, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x03, 0x58, 0x42],
            type: .webp,
            size: PixelSize(width: 800, height: 600)
        ),
        Sample(
            testDescription: "WebP, lossless",
            bytes: Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8L".utf8)
                + [1, 1, 1, 1, 0x2f, 0x1f, 0xc3, 0x95, 0x00, 0, 0, 0, 0, 0],
            type: .webp,
            size: PixelSize(width: 800, height: 600)
        ),
        Sample(
            testDescription: "WebP, extended",
            bytes: Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8X".utf8)
                + [10, 0, 0, 0, 0, 0, 0, 0, 0x1f, 0x03, 0, 0x57, 0x02, 0],
            type: .webp,
            size: PixelSize(width: 800, height: 600)
        ),
        Sample(
            testDescription: "AVIF, a grid: the whole is the greatest",
            bytes: box("ftyp", Array("mif1".utf8) + [0, 0, 0, 0] + Array("mif1avif".utf8))
                + box(
                    "meta",
                    [0, 0, 0, 0]
                        + box("hdlr", [0, 0, 0, 0])
                        + box("iprp", box("ipco", extents(2, 2) + box("pixi", [0, 0, 0, 0]) + extents(4, 3)))
                ),
            type: .avif,
            size: PixelSize(width: 0x401, height: 0x301)
        ),
    ]

    @Test("type and size are read from the bytes", arguments: samples)
    func reads(sample: Sample) {
        guard case .header(let header) = PictureHeader.read(sample.bytes) else { return #expect(Bool(false)) }
        #expect(header.type == sample.type && header.size == sample.size)
    }

    @Test("a beginning of any length needs more bytes or has the type of the whole", arguments: samples)
    func prefixes(sample: Sample) {
        for length in 0..<sample.bytes.count {
            switch PictureHeader.read(Array(sample.bytes.prefix(length))) {
            case .needsMore: continue
            case .header(let header): #expect(header.type == sample.type)
            case .unknownType: Issue.record("\(length) bytes of it are called unknown")
            }
        }
    }

    @Test(
        "bytes that are not a picture are unknown",
        arguments: [
            "<!DOCTYPE html><html>", "GIF89a\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}",
            "{\"errors\":[\"no\"]}", "RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ",
            "\u{1}\u{1}\u{1}\u{1}ftypmp42....",
            "Rate Limit Exceeded",
        ]
    )
    func unknown(text: String) {
        #expect(PictureHeader.read(Array(text.utf8)) == .unknownType)
    }

    @Test("a JPEG with data before its frame, or with a broken segment, is unknown")
    func brokenJPEG() {
        #expect(PictureHeader.read([0xff, 0xd8, 0xff, 0xda, 0, 8, 0, 0]) == .unknownType)
        #expect(PictureHeader.read([0xff, 0xd8, 0xff, 0xe0, 0, 1, 0, 0]) == .unknownType)
        #expect(PictureHeader.read([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0x00, 0xc0]) == .unknownType)
        #expect(PictureHeader.read([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 9]) == .unknownType, "no height")
    }
}

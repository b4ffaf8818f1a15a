import CZlib
import Testing

@testable import FakeLibrary

/// Decompresses a stream in pieces and counts the bytes, so that the check of a bomb needs little memory.
private func unpack(_ body: RepeatedContent, skipping: Int = 0, windowBits: Int32) throws -> (status: Int32, total: Int)
{
    var stream = z_stream()
    inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer { inflateEnd(&stream) }
    var input = [UInt8](repeating: 0, count: 65_536)
    var output = [UInt8](repeating: 0, count: 1 << 20)
    var (offset, total, status) = (skipping, 0, Z_OK)
    while status == Z_OK {
        let count = input.withUnsafeMutableBytes { body.copy(from: offset, into: $0) }
        guard count > 0 else { break }
        offset += count
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(count)
                repeat {
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    status = inflate(&stream, Z_NO_FLUSH)
                    total += output.count - Int(stream.avail_out)
                } while status == Z_OK && stream.avail_out == 0
            }
        }
    }
    return (status, total)
}

@Suite("Bombs")
struct BombTests {
    @Test("the gzip bomb is a megabyte and decompresses to a gibibyte of JSON with a valid checksum")
    func gzip() throws {
        let bomb = CompressionBomb.gzip(
            first: [UInt8(ascii: "[")],
            filler: UInt8(ascii: " "),
            last: [UInt8(ascii: "]")]
        )
        #expect(try #require(bomb.count) < 1_200_000)
        let (status, total) = try unpack(bomb, windowBits: 31)
        // zlib checks the length and the checksum before it reports the end of a gzip stream.
        #expect(status == Z_STREAM_END)
        #expect(total == (1 << 30) + 2)
    }

    @Test("the pixel bomb is a well-formed picture with valid checksums, at any size")
    func pixels() throws {
        // The same construction at a size that fits into memory: 700 × 700 pixels take more than one block. The chunks of
        // the data have their length and type before it, and their checksum after it.
        let bomb = CompressionBomb.pixels(side: 700)
        var file = [UInt8](repeating: 0, count: try #require(bomb.count))
        #expect(file.withUnsafeMutableBytes { bomb.copy(from: 0, into: $0) } == file.count)
        var (position, data, types) = (8, [UInt8](), [String]())
        while position + 12 <= file.count {
            let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
            let body = Array(file[position + 4..<position + 8 + length])
            types.append(String(decoding: body.prefix(4), as: UTF8.self))
            if types.last == "IDAT" { data += body.dropFirst(4) }
            let checksum = file[position + 8 + length..<position + 12 + length].reduce(0) { $0 << 8 | UInt($1) }
            #expect(crc32(0, body, UInt32(body.count)) == checksum)
            position += 12 + length
        }
        #expect(types == ["IHDR", "IDAT", "IDAT", "IDAT", "IEND"] && position == file.count)
        let (status, total) = try unpack(RepeatedContent(prefix: data), windowBits: 15)
        #expect(status == Z_STREAM_END && total == 700 * 2101)
    }

    @Test("at full size the pixel bomb is a few megabytes for 900 million pixels")
    func weight() throws {
        let bomb = CompressionBomb.pixels(side: 30_000)
        #expect(try #require(bomb.count) < 4_000_000)
        #expect((bomb.repeats ?? 0) * (1 << 20) > 2_690_000_000)
    }
}

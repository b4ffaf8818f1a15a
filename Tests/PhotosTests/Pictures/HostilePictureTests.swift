import Photos
import Primitives
import TestSupport
import Testing

/// Pictures and cursors are external input: any bytes have a value or a refusal as a result.
@Suite("External bytes", .timeLimit(.minutes(2)))
struct HostilePictureTests {
    @Test("headers with changed, missing and repeated bytes", arguments: 0..<20)
    func headers(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for sample in PictureHeaderTests.samples {
            for _ in 0..<200 {
                var bytes = sample.bytes
                for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
                    case 1: bytes.removeSubrange(index...)
                    case 2: bytes.insert(contentsOf: [0xff, 0xff, 0xff, 0xff], at: index)
                    default: bytes[index] = UInt8.random(in: 0...255, using: &random)
                    }
                }
                if case .header(let header) = PictureHeader.read(bytes) {
                    #expect(header.size.width > 0 && header.size.height > 0 && header.size.area > 0)
                }
            }
        }
    }
}

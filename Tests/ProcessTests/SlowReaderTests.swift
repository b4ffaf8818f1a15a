import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Slow readers of a stream")
    struct SlowReaderTests {
        @Test("A slow reader delays no other client and then gets the newest state")
        func slowReader() throws {
            let service = try ServiceProcess()
            let writer = try RawConnection(port: service.port)
            // Tracks with long names make an event of 20 kB, so that a few events fill the kernel's buffer of a
            // connection.
            let tracks = (0..<128).map { number in
                let name = "\(number)" + String(repeating: "x", count: 120)
                return #""\#(name)":{"keyframes":[{"progress":0,"value":0},{"progress":1,"value":1}]}"#
            }
            let bar = try writer.createBar("\"tracks\":{\(tracks.joined(separator: ","))}")
            let reader = try RawConnection(port: service.port, receiveBuffer: 4096)
            try reader.watch(bar)
            _ = try reader.readEvent()

            try writer.scroll(bar, -200)
            let changes = 400
            for change in 1...changes { try writer.scroll(bar, -140 - Double(change % 2)) }
            var ids: [Int] = []
            repeat {
                let event = try reader.readEvent()
                ids.append(try #require(event.firstMatch(of: /id: ([0-9]+)\n/).flatMap { Int($0.1) }))
            } while ids.last != changes + 1
            #expect(ids == ids.sorted())
            #expect(ids.count < changes / 2)
        }
    }
}

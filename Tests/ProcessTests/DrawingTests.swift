import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Pictures drawn by the sandbox library")
    struct DrawingTests {
        @Test("Drawing more pictures than an address has connections does not delay a search")
        func searchBesideDrawing() throws {
            let service = try ServiceProcess()
            let connection = try RawConnection(port: service.port)
            func get(_ target: String) -> String { "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n" }
            func search(_ word: String) throws -> Double {
                let start = ContinuousClock.now
                let answer = try connection.exchange(get("/v1/search/photos?query=\(word)"))
                #expect(answer.status == 200)
                return (.now - start) / .milliseconds(1)
            }
            let page = try connection.exchange(get("/v1/photos?limit=20"))
            let object = try JSONSerialization.jsonObject(with: Data(page.content)) as? [String: Any]
            let photos = try #require(object?["items"] as? [[String: Any]])
            try #require(photos.count == 20)
            let alone = try ["lake", "forest", "sea"].map(search).sorted()[1]

            let pictures = try photos.map { photo in
                let picture = try RawConnection(port: service.port)
                let id = try #require(photo["id"] as? String)
                try picture.send(get("/v1/photos/\(id)/image/full"))
                return picture
            }
            // Drawing each picture takes longer than a search; they are drawn one after the other.
            let beside = try ["mountain", "desert", "river"].map(search).sorted()[1]
            #expect(pictures.contains { $0.isSilent(for: .zero) }, "the drawing ended before the searches")
            print("a search takes \(alone) ms alone, and \(beside) ms beside drawing")
        }
    }
}

import Glibc
import HTTPExchange
import Logging
import MicroHTTPServer

/// A photo library of 2,000 pictures, of 100 kB each by default, in the upstream's wire format.
///
/// The sandbox library draws its pictures, which takes longer than sending them. These pictures are a header and noise.
struct LargeLibrary {
    static let photos = 2000
    static let pictureBytes = 100_000

    private let server: Server
    let port: Int

    /// Starts the library on loopback, with pictures of `pictureBytes`.
    init(pictureBytes: Int = LargeLibrary.pictureBytes) throws {
        let picture = Self.picture(of: pictureBytes)
        let logger = Logger(label: "library") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: Router(routes: [
                .get("/photos", query: .read) { request, _ in
                    let query = try Query(request.target, allowing: ["page", "per_page"])
                    // The port is not known before the start, so the Host of the request is used.
                    let host = request.fields[.host] ?? ""
                    return .now(Self.list(page: try query.requiredInteger("page", in: 1...1000), host: host))
                },
                .get("/images/{file}", query: .ignored, produces: []) { _, _ in .now(picture) },
            ]),
            middleware: [],
            logger: logger,
            makeRequestID: { "request" },
            problem: { _ in nil }
        )
        server = Server(
            configuration: Server.Configuration(host: "127.0.0.1", port: 0),
            responder: application,
            logger: logger
        )
        port = try server.start().port
    }

    func stop() async {
        await server.drain()
    }

    static func id(_ number: Int) -> String { "photo\(100_000 + number)" }

    private static func list(page: Int, host: String) -> Response {
        let numbers = (page - 1) * 30..<min(page * 30, photos)
        let entries = numbers.map { number in
            let url = "http://\(host)/images/\(number)?ixid=M3w"
            return """
                {"id":"\(id(number))","width":4000,"height":3000,"created_at":"2024-07-02T16:19:28Z","likes":1,\
                "urls":{"raw":"\(url)","full":"\(url)","regular":"\(url)","small":"\(url)","thumb":"\(url)"},\
                "user":{"username":"ada","name":"Ada"}}
                """
        }
        var response = Response.json(Array("[\(entries.joined(separator: ","))]".utf8))
        if numbers.upperBound < photos { response.fields[.link] = "</photos?page=\(page + 1)>; rel=\"next\"" }
        return response
    }

    /// Returns a PNG that is valid as far as the service reads it: a signature and a size of 400 by 300 pixels.
    private static func picture(of count: Int) -> Response {
        let head: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        let size: [UInt8] = [0, 0, 1, 0x90, 0, 0, 1, 0x2c, 8, 2, 0, 0, 0]
        let bytes = head + size + [UInt8](repeating: 0x5a, count: count - head.count - size.count)
        return Response(fields: [.contentType: "image/png"], content: .bytes(bytes))
    }
}

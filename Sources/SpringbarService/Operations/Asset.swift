import CAssets
import HTTPExchange
import PictureCoding
package import Primitives
import Synchronization

/// A file that is embedded in the binary.
package struct Asset: Sendable {
    /// The path from the top of the checkout.
    package let path: String
    package let bytes: SharedBytes

    private init(_ asset: springbar_asset) {
        path = String(cString: asset.path)
        bytes = SharedBytes(constant: UnsafeRawBufferPointer(start: asset.bytes, count: asset.length))
    }

    /// Returns the assets whose path begins with `folder`, such as `Playground/`.
    package static func all(below folder: String) -> [Asset] {
        (0..<springbar_asset_count()).map { Asset(springbar_asset_at($0)) }.filter { $0.path.hasPrefix(folder) }
    }

    /// Returns an asset that is always embedded.
    static func required(_ path: String) -> Asset {
        guard let asset = all(below: path).first else { preconditionFailure("\(path) is not embedded") }
        return asset
    }

    /// The bytes as UTF-8.
    var text: String { bytes.withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// An asset of text, as responses with and without compression.
final class CompressedAsset: Sendable {
    private let bytes: SharedBytes
    private let plain: Response
    /// Created by the first request for it: compression takes up to 5 ms, and most starts of the service need no asset.
    private let compressed = Lock<Response?>(nil)

    /// Creates the responses, with the further fields `rules`; the ending of the path determines the media type.
    ///
    /// Clients revalidate the asset before each use, so that a page of one version never runs with a script of another.
    init(_ asset: Asset, _ rules: Fields) {
        bytes = asset.bytes
        let type =
            switch asset.path.split(separator: ".").last {
            case "html": "text/html; charset=utf-8"
            case "css": "text/css; charset=utf-8"
            case "js": "text/javascript; charset=utf-8"
            case "ts": "application/typescript; charset=utf-8"
            case "svg": "image/svg+xml"
            case "ico": "image/vnd.microsoft.icon"
            case "yaml": "application/yaml"
            case "json": "application/json"
            default: "application/octet-stream"
            }
        let tag = EntityTag(hashing: Array(bytes.buffer)).description
        var response = Response(
            fields: [.contentType: type, .eTag: tag, .cacheControl: "no-cache"],
            content: .shared(bytes)
        )
        response.vary(by: .acceptEncoding)
        for field in rules { response.fields[field.name] = field.value }
        plain = response
    }

    /// Returns the assets below `folder` by their names in it.
    static func all(below folder: String, rules: Fields) -> [String: CompressedAsset] {
        Asset.all(below: folder).reduce(into: [:]) { files, asset in
            files[String(asset.path.dropFirst(folder.count))] = CompressedAsset(asset, rules)
        }
    }

    /// Returns the compressed response if the client accepts gzip, otherwise the plain one.
    func response(to request: Request) -> Response {
        guard request.acceptsGzip else { return plain }
        return compressed.withLock { compressed in
            if let compressed { return compressed }
            // 2 % larger than at the best level, in half the time.
            let response = bytes.withBytes { compress($0, level: 6) }
            compressed = response
            return response
        }
    }

    /// Returns a response in which a text is replaced; it is made for each request.
    func response(to request: Request, replacing placeholder: String, with text: String) -> Response {
        var page = bytes.withBytes { String(decoding: $0, as: UTF8.self) }
        guard let place = page.firstRange(of: placeholder) else { return response(to: request) }
        page.replaceSubrange(place, with: text)
        let bytes = Array(page.utf8)
        guard request.acceptsGzip else { return response(of: bytes) }
        // A fifth larger than at level 6, in less than half of the time.
        return bytes.withUnsafeBytes { compress($0, level: 1) }
    }

    private func compress(_ bytes: UnsafeRawBufferPointer, level: Int32) -> Response {
        var response = response(of: Deflater(level: level, format: .gzip).finish(bytes))
        response.fields[.contentEncoding] = "gzip"
        return response
    }

    /// A strong tag identifies the bytes, so other bytes have another one (RFC 9110, section 8.8.3.3).
    private func response(of bytes: [UInt8]) -> Response {
        var response = plain
        response.fields[.eTag] = EntityTag(hashing: bytes).description
        response.content = .shared(SharedBytes(bytes))
        return response
    }
}

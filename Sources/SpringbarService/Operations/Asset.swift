import CAssets
package import HTTPExchange

/// A file that is embedded in the binary, and sent without a copy.
package final class Asset: SharedBytes {
    /// The path from the top of the checkout.
    package let path: String
    package let buffer: UnsafeRawBufferPointer
    /// A strong tag, computed from the bytes.
    package let entityTag: EntityTag

    /// Returns the asset at `path`, such as `openapi.yaml`, or nil if there is none.
    package convenience init?(_ path: String) {
        guard let asset = Asset.built.first(where: { String(cString: $0.path) == path }) else { return nil }
        self.init(asset)
    }

    private init(_ asset: springbar_asset) {
        path = String(cString: asset.path)
        // Constant data of the binary lives as long as the process.
        buffer = UnsafeRawBufferPointer(start: asset.bytes, count: asset.length)
        entityTag = EntityTag(hashing: Array(buffer))
    }

    /// Returns the assets whose path begins with `folder`, such as `Playground/`.
    package static func all(below folder: String) -> [Asset] {
        built.map(Asset.init).filter { $0.path.hasPrefix(folder) }
    }

    /// Returns a response that caches may use for five minutes before they revalidate it.
    package func response(type: String) -> Response {
        Response(
            fields: [.contentType: type, .eTag: entityTag.description, .cacheControl: "public, max-age=300"],
            content: .shared(self, 0..<buffer.count)
        )
    }

    private static var built: [springbar_asset] { (0..<springbar_asset_count()).map(springbar_asset_at) }
}

// The pointer refers to constant data, which all threads may read.
extension Asset: @unchecked Sendable {}

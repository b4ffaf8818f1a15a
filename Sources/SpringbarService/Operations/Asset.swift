import CAssets
package import HTTPExchange

/// A file that was built into the binary, served without a copy.
package final class Asset: SharedBytes {
    /// The path from the top of the checkout.
    package let path: String
    package let buffer: UnsafeRawBufferPointer
    /// Strong, made from the bytes.
    package let entityTag: EntityTag

    /// The asset at `path`, such as `openapi.yaml`; nil when there is none.
    package convenience init?(_ path: String) {
        guard let asset = Asset.built.first(where: { String(cString: $0.path) == path }) else { return nil }
        self.init(asset)
    }

    private init(_ asset: springbar_asset) {
        path = String(cString: asset.path)
        // Constant data of the binary: it outlives every object, so the pointer needs no owner.
        buffer = UnsafeRawBufferPointer(start: asset.bytes, count: asset.length)
        entityTag = EntityTag(hashing: Array(buffer))
    }

    /// Every asset whose path begins with `folder`, such as `Playground/`.
    package static func all(below folder: String) -> [Asset] {
        built.map(Asset.init).filter { $0.path.hasPrefix(folder) }
    }

    /// The bytes as an answer that may be kept for a while and must then be checked.
    package func response(type: String) -> Response {
        Response(
            fields: [.contentType: type, .eTag: entityTag.description, .cacheControl: "public, max-age=300"],
            content: .shared(self, 0..<buffer.count)
        )
    }

    private static var built: [springbar_asset] { (0..<springbar_asset_count()).map(springbar_asset_at) }
}

// The pointer leads to constant data, which any thread may read at any time.
extension Asset: @unchecked Sendable {}

import CAssets
package import HTTPExchange
package import Primitives

/// A file that is embedded in the binary, and sent without a copy.
package struct Asset: Sendable {
    /// The path from the top of the checkout.
    package let path: String
    package let bytes: SharedBytes
    /// A strong tag, computed from the bytes.
    package let entityTag: EntityTag

    /// Returns the asset at `path`, such as `openapi.yaml`, or nil if there is none.
    package init?(_ path: String) {
        guard let asset = Asset.built.first(where: { String(cString: $0.path) == path }) else { return nil }
        self.init(asset)
    }

    private init(_ asset: springbar_asset) {
        path = String(cString: asset.path)
        bytes = SharedBytes(constant: UnsafeRawBufferPointer(start: asset.bytes, count: asset.length))
        entityTag = EntityTag(hashing: Array(bytes.buffer))
    }

    /// Returns the assets whose path begins with `folder`, such as `Playground/`.
    package static func all(below folder: String) -> [Asset] {
        built.map(Asset.init).filter { $0.path.hasPrefix(folder) }
    }

    /// Returns a response that caches may use for five minutes before they revalidate it.
    package func response(type: String) -> Response {
        Response(
            fields: [.contentType: type, .eTag: entityTag.description, .cacheControl: "public, max-age=300"],
            content: .shared(bytes)
        )
    }

    private static var built: [springbar_asset] { (0..<springbar_asset_count()).map(springbar_asset_at) }
}

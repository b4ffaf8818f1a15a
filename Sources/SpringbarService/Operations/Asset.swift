import CAssets
package import HTTPExchange
import HTTPTypes

/// A file that was built into the binary, served without a copy.
package final class Asset: SharedBytes {
    package let path: String
    package let buffer: UnsafeRawBufferPointer
    /// Strong, made from the bytes.
    package let entityTag: EntityTag

    /// The asset at `path`, such as `openapi.yaml`; nil when there is none.
    package init?(_ path: String) {
        let assets = (0..<springbar_asset_count()).map(springbar_asset_at)
        guard let asset = assets.first(where: { String(cString: $0.path) == path }) else { return nil }
        self.path = path
        // Constant data of the binary: it outlives every object, so the pointer needs no owner.
        buffer = UnsafeRawBufferPointer(start: asset.bytes, count: asset.length)
        entityTag = EntityTag(hashing: Array(buffer))
    }

    /// The bytes as an answer that may be kept for a while and must then be checked.
    package func response(type: String) -> Response {
        Response(
            fields: [.contentType: type, .eTag: entityTag.description, .cacheControl: "public, max-age=300"],
            content: .shared(self, 0..<buffer.count)
        )
    }
}

// The pointer leads to constant data, which any thread may read at any time.
extension Asset: @unchecked Sendable {}

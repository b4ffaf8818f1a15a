import CAssets
package import Primitives

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
}

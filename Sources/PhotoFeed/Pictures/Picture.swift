package import Primitives

/// A complete picture.
package final class Picture: Sendable {
    package let bytes: SharedBytes
    package let type: PictureType
    package let size: PixelSize
    /// A strong entity tag, with its quotes: a hash of the bytes.
    package let entityTag: String
    /// The time of its last byte.
    package let fetched: Instant

    package init(bytes: SharedBytes, type: PictureType, size: PixelSize, fetched: Instant) {
        self.bytes = bytes
        self.type = type
        self.size = size
        self.fetched = fetched
        var hash = SipHash()
        hash.combine(bytes.buffer)
        let digits = String(hash.finalized(), radix: 16)
        entityTag = "\"" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
    }
}

/// The picture formats that are served.
package enum PictureType: Sendable, Equatable {
    case jpeg
    case png
    case webp
    case avif
    case gif

    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webp: "image/webp"
        case .avif: "image/avif"
        case .gif: "image/gif"
        }
    }
}

package struct PixelSize: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var area: Int {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : area
    }
}

import Photos
import Primitives

struct TransferRequest: Sendable {
    let address: WebAddress
    /// `Name: value` each.
    let fields: [String]
    let deadline: Instant
    /// Receives the content of a 200 while it arrives; nil to collect it.
    var receiver: (any PictureReceiver)?

    /// True for a transfer of an image, false for a call of the API.
    var isImage: Bool { receiver != nil }
}

package struct TransferTimeouts: Sendable, Equatable {
    /// For the connection: name look-up, TCP, TLS.
    package var connect = Duration.seconds(2)
    /// From the request to the first byte of the response.
    package var firstByte = Duration.seconds(5)
    /// Between two bytes.
    package var idle = Duration.seconds(5)
    /// From the start to the last byte.
    package var total = Duration.seconds(25)
}

struct TransferResponse: Sendable {
    var status: Int
    /// The fields by their lower-case names; the last of repeated ones.
    var fields: [String: String]
    /// Empty if a receiver took it.
    var content: [UInt8]
    /// Holds the memory of the content; nil if none was collected.
    var memory: MemoryLease?
    /// The absolute target of a redirect.
    var redirect: String?
}

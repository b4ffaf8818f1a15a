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
    package var connect: Duration
    /// From the request to the first byte of the response.
    package var firstByte: Duration
    /// Between two bytes.
    package var idle: Duration
    /// From the start to the last byte.
    package var total: Duration

    package init(
        connect: Duration = .seconds(2),
        firstByte: Duration = .seconds(5),
        idle: Duration = .seconds(5),
        total: Duration = .seconds(25)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.total = total
    }
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

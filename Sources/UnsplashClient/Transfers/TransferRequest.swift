import PhotoFeed
import Primitives

/// One GET.
struct TransferRequest: Sendable {
    let address: WebAddress
    /// `Name: value` each.
    var fields: [String]
    var timeouts: TransferTimeouts
    /// The greatest content in bytes, decompressed.
    var largestContent: Int
    /// The budget that collected content is charged to.
    var memory: MemoryBudget
    /// Lets libcurl ask for compressed content and unpack it; `largestContent` holds for what comes out.
    var isCompressible = false
    /// A file of certificates (PEM) to trust in place of the system's.
    var authorities: String?
    /// Takes the content of a 200 while it arrives; without one it is collected.
    var receiver: (any PictureReceiver)?

    /// True for a transfer of an image, false for a call of the API.
    var isImage: Bool { receiver != nil }
}

/// How long each phase of a transfer may take.
package struct TransferTimeouts: Sendable, Equatable {
    /// Until the connection stands: name look-up, TCP, TLS.
    package var connect: Duration
    /// From the request to the first byte of the answer.
    package var firstByte: Duration
    /// Between two bytes.
    package var idle: Duration
    /// From asking to the last byte.
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

/// What came back.
struct TransferResponse: Sendable {
    var status: Int
    /// Lower-case names; of fields that come twice the last.
    var fields: [String: String]
    /// Empty if a receiver took it.
    var content: TransferContent
    /// Where a redirect leads, made absolute.
    var redirect: String?
}

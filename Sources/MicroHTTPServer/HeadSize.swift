import HTTPExchange

/// The size of a request's head, the limits of heads, and the room that a head leaves for that of the response.
///
/// Both are in the library's memory for a connection (`Daemon.connectionMemory`; connection.c and memorypool.c of 0.9.75),
/// and without room for the head of a response the library closes the connection:
///
/// | use | bytes, for the largest head |
/// |---|---|
/// | the read buffer: half of the memory, or what the head needs, and a part of 128 | 8,336 |
/// | a record of 64 bytes for each field, and three more | 6,592 |
/// | the head of the response | 1,456 |
///
/// A response with a larger head is replaced by a 431 if it does not fit. That is a link with a long query, in the answer
/// to a request with many other fields.
struct HeadSize: Equatable {
    /// The bytes of the request line with its end.
    var line = 0
    /// The bytes of the whole head, from the method to the empty line.
    var whole = 0
    /// The number of fields.
    var fields = 0

    /// The most bytes of a head; also the usual limit of proxies and servers.
    static let most = 8192
    /// The most fields of a head.
    static let mostFields = 100
    /// The refusal of a head that is too large.
    static let tooLarge = Refusal.headTooLarge(limit: most, fields: mostFields)

    /// The refusal of the head; nil for one within the limits.
    var refusal: Refusal? {
        if line > HeadSize.most { return .targetTooLong(limit: HeadSize.most) }
        return whole > HeadSize.most || fields > HeadSize.mostFields ? HeadSize.tooLarge : nil
    }

    /// The bytes that the head of the response may have; for a head within the limits.
    var room: Int { Daemon.connectionMemory - (max(Daemon.connectionMemory / 2, whole) + 144) - 64 * (fields + 3) }
}

import HTTPExchange

/// The size of a request's head, the limits of heads, and the room that a head leaves for that of the response.
///
/// Both are in the library's memory for a connection, which is twice the limit (connection.c and memorypool.c of 0.9.75), and
/// without room for the head of a response the library closes the connection:
///
/// | use | bytes, for the largest head of 8 KiB |
/// |---|---|
/// | the read buffer: half of the memory, or what the head needs, and a part of 128 | 8,336 |
/// | a record of 64 bytes for each field, and three more | 6,592 |
/// | the head of the response | 1,456 |
///
/// A response with a head that does not fit is sent without its links, which repeat a long query, else replaced by a 431.
/// That is a redirect to a long address, in the answer to a request with many other fields.
///
/// Cookies are not counted, because the service has none: they are those of other services on the same host, such as
/// localhost. A head with them must leave the same room for that of the response.
struct HeadSize: Equatable {
    /// The bytes of the request line with its end.
    var line = 0
    /// The bytes of the whole head, from the method to the empty line.
    var whole = 0
    /// The bytes of the lines of cookies.
    var cookies = 0
    /// The number of fields.
    var fields = 0

    /// The most fields of a head.
    static let mostFields = 100
    /// The library's record of a field.
    static let recordBytes = 64
    /// The bytes for the head of a response that every accepted head leaves.
    static let leastRoom = 1456

    /// Returns the memory of a connection in the library, in bytes, for heads of up to `limit` bytes.
    ///
    /// The library clears it after each request. 32 KiB, its default, cost a POST of one event 2 % more than 16 KiB, and
    /// 128 KiB cost 70 % more.
    static func memory(limit: Int) -> Int { 2 * limit }

    /// Returns the refusal of a head above `limit` bytes.
    static func tooLarge(limit: Int) -> Refusal { .headTooLarge(limit: limit, fields: mostFields) }

    /// Returns the refusal of the head; nil for one within the limits.
    func refusal(limit: Int) -> Refusal? {
        if line > limit { return .targetTooLong(limit: limit) }
        let isTooLarge =
            whole - cookies > limit || fields > HeadSize.mostFields || room(limit: limit) < HeadSize.leastRoom
        return isTooLarge ? HeadSize.tooLarge(limit: limit) : nil
    }

    /// Returns the bytes that the head of the response may have.
    func room(limit: Int) -> Int {
        HeadSize.memory(limit: limit) - (max(limit, whole) + 144) - HeadSize.recordBytes * (fields + 3)
    }
}

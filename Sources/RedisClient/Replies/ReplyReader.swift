import CHiredis
import Primitives

/// Parses the bytes of a connection with hiredis.
///
/// hiredis owns its buffer and each reply that it returns. `next` copies a reply into Swift values and frees it before
/// it returns, so no pointer of the library leaves this file. The limits bound the memory that a server can make
/// the reader allocate. hiredis itself limits only the depth of arrays, to seven levels.
///
/// Only one thread uses a reader.
package final class ReplyReader {
    /// The bytes of the longest line with a length: 19 digits and the line end, rounded up.
    private static let longestLength = 32

    /// The library's reader with its limit; freed in `deinit` and used by this object only.
    private let context: UnsafeMutablePointer<springbar_reader>
    /// The library's reader, which `context` owns.
    private let reader: UnsafeMutablePointer<redisReader>
    /// The most elements of all arrays of a reply together.
    private let mostElements: Int
    /// The most bytes of a line, which is a simple string, an error, a number or a length; 32 at least.
    private let longestLine: Int
    /// The most bytes of the next reply, with the marks of the protocol, which depends on its command.
    package var largestReply = RedisCommand.usualReply
    /// The bytes that were fed since the end of the last reply.
    private var unfinished = 0

    package init(mostElements: Int = 262_144, longestLine: Int = 65_536) {
        guard let context = springbar_reader_create(), let reader = context.pointee.reader else {
            fatalError("no memory for a reply reader")
        }
        self.context = context
        self.reader = reader
        self.mostElements = mostElements
        self.longestLine = longestLine
        context.pointee.elements_left = mostElements
    }

    deinit {
        springbar_reader_free(context)
    }

    /// Adds received bytes; the library copies them.
    ///
    /// - Throws: `.malformed` after an earlier fault.
    package func feed(_ bytes: UnsafeRawBufferPointer) throws(ConnectionFailure) {
        guard !bytes.isEmpty else { return }
        let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
        guard redisReaderFeed(reader, start, bytes.count) == REDIS_OK else { throw fault }
        unfinished += bytes.count
    }

    /// Returns the next complete reply; nil if more bytes are needed.
    ///
    /// - Throws: `.malformed` for bytes that are not a reply, or one that is too large; the reader cannot be used afterwards.
    package func next() throws(ConnectionFailure) -> RedisReply? {
        var object: UnsafeMutableRawPointer?
        guard redisReaderGetReply(reader, &object) == REDIS_OK else { throw fault }
        guard let object else {
            try checkUnfinished()
            return nil
        }
        defer { freeReplyObject(object) }
        unfinished = reader.pointee.len - reader.pointee.pos
        context.pointee.elements_left = mostElements
        // The default functions of hiredis create every object as a `redisReply`.
        return try Self.copy(object.assumingMemoryBound(to: redisReply.self).pointee)
    }

    /// Throws if an incomplete reply already exceeds a limit.
    private func checkUnfinished() throws(ConnectionFailure) {
        guard unfinished <= largestReply else { throw .malformed("a reply is too large") }
        let (position, end) = (reader.pointee.pos, reader.pointee.len)
        guard let buffer = reader.pointee.buf, position < end, end - position > longestLine else { return }
        // hiredis searches an incomplete line from its start at each call, so the length of a line is limited. It has
        // consumed the type byte, so an incomplete bulk string begins with its length and a line end.
        let beginning = UnsafeBufferPointer(start: buffer + position, count: Self.longestLength)
        if !beginning.contains(CChar(0x0A)) { throw .malformed("a line is too long") }
    }

    /// Copies a reply; its depth is limited by the library.
    private static func copy(_ reply: redisReply) throws(ConnectionFailure) -> RedisReply {
        switch reply.type {
        case REDIS_REPLY_STRING: return .string(bytes(reply))
        case REDIS_REPLY_STATUS: return .status(String(decoding: bytes(reply), as: UTF8.self))
        case REDIS_REPLY_ERROR: return .error(RedisFault(String(decoding: bytes(reply), as: UTF8.self)))
        case REDIS_REPLY_INTEGER: return .integer(Int(reply.integer))
        case REDIS_REPLY_NIL: return .null
        case REDIS_REPLY_ARRAY:
            var elements: [RedisReply] = []
            elements.reserveCapacity(Int(reply.elements))
            for index in 0..<Int(reply.elements) {
                guard let element = reply.element?[index] else { throw .malformed("an array is incomplete") }
                elements.append(try copy(element.pointee))
            }
            return .array(elements)
        default: throw .malformed("an unknown type of reply")
        }
    }

    private static func bytes(_ reply: redisReply) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: reply.str, count: reply.str == nil ? 0 : Int(reply.len)))
    }

    private var fault: ConnectionFailure {
        // An array in C of 128 characters that ends with a zero.
        let text = withUnsafeBytes(of: reader.pointee.errstr) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .malformed(text)
    }
}

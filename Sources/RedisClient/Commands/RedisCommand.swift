import COpenSSL
import StoredBytes

/// A command in the bytes of Redis' protocol: an array of words (RESP, "Sending commands to a Redis server").
package struct RedisCommand: Sendable {
    package let bytes: [UInt8]
    /// The key, which decides on the server in a cluster.
    private let key: String?
    /// The script that the command runs by its digest, with its arguments.
    private var call: (script: RedisScript, arguments: [RedisWord])?

    /// The most bytes of the reply; a longer one ends the connection while it arrives.
    package private(set) var largestReply = RedisCommand.usualReply

    /// A record with its log, of a megabyte each at most, the list of the servers of a cluster, and INFO, which has a
    /// line for each different error of scripts.
    static let usualReply = 2 << 20
    /// A value that was stored by one of the replicas.
    static let valueReply = 6 << 20

    /// Returns the command, whose reply may be a value.
    package func forValue() -> RedisCommand {
        var command = self
        command.largestReply = RedisCommand.valueReply
        return command
    }

    package var slot: UInt16? { key.map(KeySlot.slot) }
}

extension RedisCommand {
    /// Encodes a command of texts and bytes, for any server.
    package init(_ words: RedisWord...) {
        self.init(words)
    }

    /// Encodes a command with a key, which decides on the server in a cluster.
    package init(_ name: RedisWord, key: String, _ arguments: [RedisWord] = []) {
        self.init([name, .text(key)] + arguments, key: key)
    }

    /// Encodes the call of a script with a key and arguments.
    package init(_ script: RedisScript, key: String, _ arguments: [RedisWord] = []) {
        self.init(["EVALSHA", .text(script.digest), "1", .text(key)] + arguments, key: key)
        call = (script, arguments)
    }

    /// Encodes a command of texts and bytes; without a key it is for any server.
    package init(_ words: [RedisWord], key: String? = nil) {
        var writer = ByteWriter(capacity: 512)
        writer.put(line: "*", words.count)
        for word in words { writer.put(word: word) }
        (bytes, self.key) = (writer.bytes, key)
    }

    /// Returns the command that sends the script's source instead of its digest; nil for other commands.
    package var withSource: RedisCommand? {
        guard let call, let key else { return nil }
        return RedisCommand(["EVAL", .text(call.script.source), "1", .text(key)] + call.arguments, key: key)
    }
}

package enum RedisWord: Sendable, Equatable {
    case text(String)
    case bytes([UInt8])
    case integer(Int)
}

extension RedisWord: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension ByteWriter {
    /// Appends a word after the number of its bytes.
    fileprivate mutating func put(word: RedisWord) {
        switch word {
        case .text(var text): text.withUTF8 { put(bulk: UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes { put(bulk: $0) }
        case .integer(let number): put(word: .text(String(number)))
        }
    }

    private mutating func put(bulk word: UnsafeRawBufferPointer) {
        put(line: "$", word.count)
        put(raw: word)
        putLineEnd()
    }

    /// Appends the type of a value and its length as a line.
    fileprivate mutating func put(line type: Unicode.Scalar, _ length: Int) {
        put(UInt8(ascii: type))
        var digits = String(length)
        digits.withUTF8 { put(raw: UnsafeRawBufferPointer($0)) }
        putLineEnd()
    }

    private mutating func putLineEnd() {
        put(highest: 2, of: 0x0D0A << 48)
    }
}

/// A Lua script that Redis runs by the SHA-1 digest of its source.
///
/// The digest is the script's name, so two versions of a service run beside each other. Redis forgets scripts at a
/// restart and a failover; the client then sends the source once.
package final class RedisScript: Sendable {
    package let source: String
    fileprivate let digest: String

    package init(_ source: String) {
        self.source = source
        digest = Self.digest(of: Array(source.utf8))
    }

    private static func digest(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length = 0
        let isDone = EVP_Q_digest(nil, "SHA1", nil, bytes, bytes.count, &digest, &length)
        // It fails only without memory, or if the library's configuration removes SHA-1.
        precondition(isDone == 1, "OpenSSL has no SHA-1")
        let digits = Array("0123456789abcdef".utf8)
        let text = digest.prefix(length).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
        return String(decoding: text, as: UTF8.self)
    }
}

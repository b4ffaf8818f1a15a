import COpenSSL
import Primitives

/// A command in the bytes of Redis' protocol: an array of words (RESP, "Sending commands to a Redis server").
package struct RedisCommand: Sendable {
    package let bytes: [UInt8]
    /// The script that the command runs by its digest.
    private let script: RedisScript?
    /// The key, which decides on the server in a cluster.
    private let key: String?

    /// The most bytes of the reply; a longer one ends the connection while it arrives.
    package private(set) var largestReply = RedisCommand.usualReply

    /// A record with its log, of a megabyte each at most, and the list of the servers of a cluster.
    static let usualReply = 2 << 20
    /// A value that was stored by one of the replicas.
    static let valueReply = 6 << 20
    /// Each of the replies to the first commands: INFO has some kilobytes.
    static let greetingReply = 64 << 10

    /// Returns the command, whose reply may be a value.
    func forValue() -> RedisCommand {
        var command = self
        command.largestReply = RedisCommand.valueReply
        return command
    }

    var slot: UInt16? { key.map(KeySlot.slot) }
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
        var writer = ByteWriter(capacity: 512)
        writer.put(line: "*", 4 + arguments.count)
        script.call.withUnsafeBytes { writer.put(raw: $0) }
        writer.put(word: .text(key))
        for argument in arguments { writer.put(word: argument) }
        self.init(bytes: writer.bytes, script: script, key: key)
    }

    /// Encodes a command of texts and bytes; without a key it is for any server.
    package init(_ words: [RedisWord], key: String? = nil) {
        var writer = ByteWriter(capacity: 128)
        writer.put(line: "*", words.count)
        for word in words { writer.put(word: word) }
        self.init(bytes: writer.bytes, script: nil, key: key)
    }

    /// Returns the command that sends the script's source instead of its digest; nil for other commands.
    var withSource: RedisCommand? {
        // Both have the same number of words, which is the first line.
        guard let script, let line = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var writer = ByteWriter(capacity: 4096)
        writer.put(call: .text(script.source), "EVAL")
        let words = bytes[...line] + writer.bytes + bytes[(line + 1 + script.call.count)...]
        return RedisCommand(bytes: Array(words), script: nil, key: key)
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
    mutating func put(word: RedisWord) {
        switch word {
        case .text(var text): text.withUTF8 { put(bulk: UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes { put(bulk: $0) }
        case .integer(let number): put(word: .text(String(number)))
        }
    }

    /// Appends the words of a call of a script with one key, up to the key.
    fileprivate mutating func put(call script: RedisWord, _ command: RedisWord) {
        put(word: command)
        put(word: script)
        put(word: "1")
    }

    private mutating func put(bulk word: UnsafeRawBufferPointer) {
        put(line: "$", word.count)
        put(raw: word)
        putLineEnd()
    }

    /// Appends the type of a value and a number, which is not negative, as a line.
    fileprivate mutating func put(line type: Unicode.Scalar, _ number: Int) {
        put(UInt8(ascii: type))
        put(decimal: number.magnitude)
        putLineEnd()
    }

    /// Appends a number in decimal, eight digits at a time.
    ///
    /// A command has a dozen lengths: as texts they would take 3,000 more of the 100,000 instructions of a POST.
    mutating func put(decimal number: UInt) {
        var (digits, count, rest) = (0 as UInt64, 0, number)
        repeat {
            digits = digits >> 8 | UInt64(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)) << 56
            count += 1
            rest /= 10
        } while rest > 0 && count < 8
        if rest > 0 { put(decimal: rest) }
        put(highest: count, of: digits)
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
    /// The words of a call before the key, encoded.
    fileprivate let call: [UInt8]

    package init(_ source: String) {
        self.source = source
        var writer = ByteWriter(capacity: 64)
        writer.put(call: .text(Self.digest(of: Array(source.utf8))), "EVALSHA")
        call = writer.bytes
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

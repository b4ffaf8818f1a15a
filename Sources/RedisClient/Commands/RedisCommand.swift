/// A command in the bytes of Redis' protocol: an array of words (RESP, "Sending commands to a Redis server").
package struct RedisCommand: Sendable {
    /// The encoded command.
    package private(set) var bytes: [UInt8] = []
    /// The script that the command runs by its digest, with the number and the start of the words after it; nil for
    /// other commands.
    private var call: (script: RedisScript, words: Int, start: Int)?
    /// The slot of the command's key in a cluster; nil without a key.
    private(set) var slot: UInt16?

    /// Encodes a command of texts and bytes, for any server.
    package init(_ words: RedisWord...) {
        self.init(words)
    }

    /// Encodes a command of texts and bytes, for any server.
    package init(_ words: [RedisWord]) {
        bytes.reserveCapacity(words.reduce(16) { $0 + $1.count + 16 })
        appendHead("*", words.count)
        for word in words { append(word) }
    }

    /// Encodes a command with a key, which decides on the server in a cluster.
    package init(_ name: RedisWord, key: String, _ arguments: [RedisWord] = []) {
        self.init([name, .text(key)] + arguments)
        slot = KeySlot.slot(of: key)
    }

    /// Encodes the call of a script with a key and arguments.
    package init(_ script: RedisScript, key: String, _ arguments: [RedisWord] = []) {
        slot = KeySlot.slot(of: key)
        bytes.reserveCapacity(arguments.reduce(128 + key.utf8.count) { $0 + $1.count + 16 })
        let words = 2 + arguments.count
        appendHead("*", 2 + words)
        append("EVALSHA")
        append(.text(script.digest))
        call = (script, words, bytes.count)
        append(1)
        append(.text(key))
        for argument in arguments { append(argument) }
    }

    /// Returns the command that sends the script's source instead of its digest; nil for other commands.
    var withSource: RedisCommand? {
        guard let call else { return nil }
        var command = self
        (command.bytes, command.call) = ([], nil)
        command.appendHead("*", 2 + call.words)
        command.append("EVAL")
        command.append(.text(call.script.source))
        command.bytes += bytes[call.start...]
        return command
    }

    private mutating func append(_ word: RedisWord) {
        appendHead("$", word.count)
        switch word {
        case .text(var text): text.withUTF8 { bytes.append(contentsOf: $0) }
        case .bytes(let content): bytes.append(contentsOf: content)
        case .integer(let number):
            if number < 0 { bytes.append(UInt8(ascii: "-")) }
            appendDigits(of: number.magnitude)
        }
        appendLineEnd()
    }

    private mutating func appendHead(_ mark: Unicode.Scalar, _ count: Int) {
        bytes.append(UInt8(ascii: mark))
        appendDigits(of: count.magnitude)
        appendLineEnd()
    }

    /// Appends a number without a string: a call has about ten.
    private mutating func appendDigits(of number: UInt) {
        if number > 9 { appendDigits(of: number / 10) }
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func appendLineEnd() {
        bytes.append(0x0D)
        bytes.append(0x0A)
    }
}

/// A word of a command.
package enum RedisWord: Sendable, Equatable {
    case text(String)
    case bytes([UInt8])
    /// A number, which is sent as text.
    case integer(Int)

    fileprivate var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .integer(let number): RedisWord.digits(of: number.magnitude) + (number < 0 ? 1 : 0)
        }
    }

    private static func digits(of number: UInt) -> Int { number > 9 ? 1 + digits(of: number / 10) : 1 }
}

extension RedisWord: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) {
        self = .text(value)
    }

    package init(integerLiteral value: Int) {
        self = .integer(value)
    }
}

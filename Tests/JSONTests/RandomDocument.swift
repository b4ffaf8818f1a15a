import JSON
import TestSupport

/// Makes valid documents of every shape in canonical form.
enum RandomDocument {
    static func make(from generator: inout SeededGenerator) -> [UInt8] {
        var json = JSONWriter()
        write(to: &json, depth: 0, from: &generator)
        return json.bytes
    }

    private static func write(to json: inout JSONWriter, depth: Int, from generator: inout SeededGenerator) {
        let count = Int.random(in: 0...4, using: &generator)
        switch Int.random(in: depth == 0 ? 6...9 : 0...(depth < 4 ? 9 : 5), using: &generator) {
        case 0: json.null()
        case 1: json.value(Bool.random(using: &generator))
        case 2: json.value(Int(truncatingIfNeeded: generator.next()) >> Int.random(in: 0..<64, using: &generator))
        case 3: json.value(Double(Int16(truncatingIfNeeded: generator.next())) / 8)
        case 4:
            let value = Double(bitPattern: generator.next())
            json.value(value.isFinite ? value : 0)
        case 5: json.value(text(from: &generator))
        case 6, 7:
            json.array { json in
                for _ in 0..<count { write(to: &json, depth: depth + 1, from: &generator) }
            }
        default:
            json.object { json in
                for number in 0..<count {
                    json.key("\(number)\(text(from: &generator))")
                    write(to: &json, depth: depth + 1, from: &generator)
                }
            }
        }
    }

    private static func text(from generator: inout SeededGenerator) -> String {
        let alphabet = Array("abz09 \"\\/\u{0}\u{1}\n\u{1F}\u{7F}é€𝄞\u{2028}\u{FEFF}\u{E000}").map(String.init)
        return (0..<Int.random(in: 0..<12, using: &generator))
            .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            .joined()
    }
}

/// Makes small changes to a document, of kinds that parsers often accept by mistake.
enum Mutation {
    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "-", "+", ".", "e", "E9", "0", "1", "e999", "null", "true", " ",
            "\n", "\t",
            "\\u", "\\ud834", "\\udd1e", "\\u0000", "/", "'", "\u{0}", "\u{1}", "\u{FEFF}", "00000000000000000000",
        ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF], [0xF5]]

    static func apply(to document: inout [UInt8], from generator: inout SeededGenerator) {
        guard !document.isEmpty else { return }
        let place = Int.random(in: 0..<document.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: document[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: document.remove(at: place)
        case 2: document.insert(document[place], at: place)
        case 3: document.removeSubrange(place...)
        case 4: document.swapAt(place, Int.random(in: 0..<document.count, using: &generator))
        default:
            let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            document.insert(contentsOf: piece, at: place)
        }
    }
}

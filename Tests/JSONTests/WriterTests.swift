import JSON
import Testing

@Suite("Writer")
struct WriterTests {
    @Test("members and elements are in the order of the calls")
    func order() {
        var json = JSONWriter(capacity: 1)
        json.object { json in
            json.member("z", 44.5)
            json.member("a", 7)
            json.member("flag", true)
            json.member("text", "top")
            json.object("empty") { _ in }
            json.array("list") { json in
                json.value(0.25)
                json.value(-3)
                json.value(false)
                json.value("x")
                json.null()
                json.object { json in json.member("in", 1) }
                json.array { json in json.array { _ in } }
                json.raw(Array(#"{"raw":1}"#.utf8))
            }
            json.member("numbers", [1, 2.5])
            json.member("texts", ["a", "b"])
            json.objects("objects", [1, 2]) { json, number in json.member("in", number) }
            json.key("last")
            json.raw(Array("[1]".utf8))
        }
        let expected = """
            {"z":44.5,"a":7,"flag":true,"text":"top","empty":{},\
            "list":[0.25,-3,false,"x",null,{"in":1},[[]],{"raw":1}],\
            "numbers":[1,2.5],"texts":["a","b"],"objects":[{"in":1},{"in":2}],"last":[1]}
            """
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("a member after a part that ends with a number has a comma, and one after a part with a colon has none")
    func parts() {
        var json = JSONWriter()
        json.object { json in
            json.part(#""a":"#, 0.5)
            json.member("b", 1)
            json.part(#","c":"#)
            json.value(2)
            json.part(#","d":{}"#)
            json.member("e", 3)
        }
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"a":0.5,"b":1,"c":2,"d":{},"e":3}"#)
    }

    @Test("nil is written as null")
    func null() {
        var json = JSONWriter()
        json.object { json in
            json.member("d", nil as Double?)
            json.member("i", nil as Int?)
            json.member("b", nil as Bool?)
            json.member("s", nil as String?)
            json.array("e") { json in
                json.value(nil as Double?)
                json.value(nil as Int?)
                json.value(nil as Bool?)
                json.value(nil as String?)
            }
        }
        let expected = #"{"d":null,"i":null,"b":null,"s":null,"e":[null,null,null,null]}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }

    @Test("ASCII characters are escaped only if RFC 8259 requires it")
    func escapes() throws {
        for code in UInt8(0)...0x7F {
            let expected =
                switch code {
                case 0x08: #"\b"#
                case 0x09: #"\t"#
                case 0x0A: #"\n"#
                case 0x0C: #"\f"#
                case 0x0D: #"\r"#
                case 0x22: #"\""#
                case 0x5C: #"\\"#
                case 0x00..<0x10: "\\u000" + String(code, radix: 16)
                case 0x10..<0x20: "\\u00" + String(code, radix: 16)
                default: String(UnicodeScalar(code))
                }
            let scalar = String(UnicodeScalar(code))
            // At every position of the eight bytes that are checked together, and after them.
            for before in 0..<17 {
                let padding = String(repeating: "é", count: before / 2) + String(repeating: "x", count: before % 2)
                let text = padding + scalar + "y"
                #expect(written { $0.value(text) } == "\"\(padding)\(expected)y\"")
                #expect(written { json in json.object { $0.member(text, 1) } } == "{\"\(padding)\(expected)y\":1}")
            }
        }
    }

    @Test("an error of the body is rethrown with its type")
    func throwing() {
        struct Mine: Error {}
        var json = JSONWriter()
        #expect(throws: Mine.self) {
            try json.object { (json) throws(Mine) in
                try json.array("a") { (_) throws(Mine) in throw Mine() }
            }
        }
    }

    @Test("NaN and infinity stop the process", arguments: [Double.nan.bitPattern, Double.infinity.bitPattern])
    func notFinite(_ pattern: UInt64) async {
        await #expect(processExitsWith: .failure) { [pattern] in
            var json = JSONWriter()
            json.value(Double(bitPattern: pattern))
        }
    }

    @Test("a document has its bytes, whether they fit into the capacity or not", arguments: [0, 1, 8, 12, 13, 64])
    func capacity(_ capacity: Int) {
        let document = JSONWriter.document(capacity: capacity) { json in
            json.array { json in
                for number in 1...5 { json.value(number) }
                json.null()
            }
        }
        #expect(String(decoding: document, as: UTF8.self) == "[1,2,3,4,5,null]")
    }
}

/// Returns the text that a call writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
}

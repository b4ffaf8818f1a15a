/// Documents that must be refused as malformed.
///
/// The classes are those of JSONTestSuite ("Parsing JSON is a Minefield", 2016) and of the checker of json.org; the texts
/// are our own.
enum BadDocuments {
    static let all = structure + literals + strings + encoding + numbers + limits

    static let structure: [Sample] = [
        "", " \t\r\n", "[", "{", "]", "}", "[1}", #"{"a":1]"#, "[{]}", "[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]",
        "[1:2]", "[1,", #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1,,"b":2}"#, #"{"a":1 "b":2}"#, #"{"a" 1}"#, #"{"a"::1}"#,
        #"{"a",1}"#, #"{"a"}"#, #"{"a":}"#, #"{"a""#, #"{"a":"#, #"{"a":1"#,
        // Names that are no strings.
        "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{[]:1}",
        // More than one value.
        "[1]2", "[1]]", "{}}", "[1],", "[][]", "1 2", #""a" "b""#, "{}\n{}", "{},{}",
        // Comments, other spaces, and other languages.
        "[/* a */1]", "[1] // a", "# a\n[1]", "[\u{B}1]", "[1]\u{C}",
        Sample("a no-break space", "[\u{A0}1]"),
        Sample("a word joiner", "[\u{2060}1]"),
        Sample("a line separator outside of a string", "[1,\u{2028}2]"),
        "callback({})", "{};", "<a/>",
    ]

    static let literals: [Sample] = [
        "TRUE", "[True]", "nul", "[nulll]", "[truefalse]", "true false", "[tru]", "fals", "[undefined]", "bar", "-true",
        #"[null"a"]"#,
    ]

    static let strings: [Sample] = [
        #"["a]"#, "\"", #"["a\"]"#, #"["\"]"#, #"[\n]"#,
        // Escapes that JSON does not have.
        #"["\x41"]"#, #"["\N"]"#, #"["\'"]"#, #"["\0"]"#, "[\"\\\n\"]",
        // `\u` without four hexadecimal digits.
        #"["\u"]"#, #"["\u004"]"#, #"["\u00g0"]"#, #"["\U0041"]"#, #"["\u+041"]"#, #""\u00"#,
        // Halves of surrogate pairs, and a pair the wrong way round.
        #"["\ud834"]"#, #"["\udd1e"]"#, #"["\ud834a"]"#, #"["\ud834\n"]"#, #"["\ud834\u0041"]"#, #"["\ud834\ud834"]"#,
        #"["\udd1e\ud834"]"#, #"["\ud834\udd"]"#, #"{"\ud834":1}"#,
        // Other quotes, and controls.
        "['a']", "[“a”]", "[\"\t\"]", "[\"\n\"]", "[\"\r\"]", "[\"\u{1}\"]", "[\"\u{1F}\"]", "[\"\u{0}\"]",
        "{\"\u{8}\":1}",
        Sample("a control after 70 letters", "[\"" + String(repeating: "x", count: 70) + "\u{2}\"]"),
    ]

    static let encoding: [Sample] = [
        Sample("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        Sample("a byte order mark alone", [0xEF, 0xBB, 0xBF]),
        Sample("half a byte order mark", [0xEF, 0xBB] + Array("{}".utf8)),
        Sample("UTF-16, big-endian", [0x00, 0x5B, 0x00, 0x5D]),
        Sample("UTF-16, little-endian", [0x5B, 0x00, 0x5D, 0x00]),
        Sample("UTF-16 with a byte order mark", [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]),
        Sample("UTF-32", [0x00, 0x00, 0x00, 0x5B, 0x00, 0x00, 0x00, 0x5D]),
        Sample("Latin-1", quoted([0xE9])),
        Sample("a continuation byte alone", quoted([0x80])),
        Sample("a first byte alone", quoted([0xC3])),
        Sample("two bytes of three", quoted([0xE2, 0x82])),
        Sample("three bytes of four", quoted([0xF0, 0x9D, 0x84])),
        Sample("an overlong solidus", quoted([0xC0, 0xAF])),
        Sample("an overlong NUL", quoted([0xC0, 0x80])),
        Sample("an overlong form of three bytes", quoted([0xE0, 0x80, 0xAF])),
        Sample("an overlong form of four bytes", quoted([0xF0, 0x80, 0x80, 0xAF])),
        Sample("a surrogate", quoted([0xED, 0xA0, 0x80])),
        Sample("a surrogate pair in six bytes", quoted([0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E])),
        Sample("over U+10FFFF", quoted([0xF4, 0x90, 0x80, 0x80])),
        Sample("a form of five bytes", quoted([0xF8, 0x88, 0x80, 0x80, 0x80])),
        Sample("FE", quoted([0xFE])),
        Sample("FF", quoted([0xFF])),
        Sample("a wrong byte outside of a string", [0x5B, 0xFF, 0x5D]),
        Sample("a wrong byte at the end", [0x5B, 0x5D, 0xC3]),
        Sample("a wrong byte in a name", Array("{\"".utf8) + [0x80] + Array("\":1}".utf8)),
        Sample("NUL before", [0x00, 0x5B, 0x5D]),
        Sample("NUL after", [0x5B, 0x5D, 0x00]),
        Sample("NUL after a number", [0x31, 0x00]),
        Sample("NUL for a space", [0x5B, 0x00, 0x31, 0x5D]),
        Sample("NUL alone", [0x00]),
        Sample("gzip", [0x1F, 0x8B, 0x08, 0x00]),
    ]

    static let numbers: [Sample] = [
        "+1", "[+1]", "-", "[- 1]", "[--1]", "01", "[-01]", "[00]", "[.5]", "[-.5]", "[1.]", "[1.e3]", "[1.2.3]",
        "[1e]", "[1e+]", "[1e+-2]", "[1e2.5]", "[1e2e3]", "[e5]", "[0x1F]", "[0o17]", "[1_000]", "[1,5.]", "[1a]", "1a",
        #"[1"a"]"#,
        Sample("digits of another script", "[\u{FF11}]"),
        "[NaN]", "nan", "[Infinity]", "[-Infinity]", "[inf]", "[1#INF]", "1e999", "[-1e309]",
        Sample("infinite by its digits", "1" + String(repeating: "0", count: 309) + ".0"),
        Sample("just rounded up to infinity", "1.7976931348623159e308"),
        "[1e99999999999999999999]",
        // RFC 8259, section 6, allows limits. Such numbers must be written as 1e20.
        "18446744073709551616", "-9223372036854775809", "100000000000000000000",
    ]

    static let limits: [Sample] = [
        Sample("65 arrays deep", GoodDocuments.nest("[", 65, "1", "]")),
        Sample("65 arrays deep, the last one empty", GoodDocuments.nest("[", 65, "", "]")),
        Sample("65 objects deep", GoodDocuments.nest("{\"a\":", 65, "1", "}")),
        Sample("65 objects deep, the last one empty", GoodDocuments.nest("{\"a\":", 64, "{}", "}")),
        Sample("65 deep at the end of a flat document", "[1,{},\(GoodDocuments.nest("[", 64, "", "]"))]"),
        Sample("100 000 brackets", String(repeating: "[", count: 100_000)),
        Sample("100 000 objects", String(repeating: "{\"\":", count: 100_000)),
        #"{"a":1,"a":2}"#, #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#, #"{"a\u0000b":1,"a\u0000b":2}"#,
        #"{"a":1,"b":{"a":2},"c":[],"a":3}"#, #"[0,{"x":[{"y":1,"z":2,"y":3}]}]"#,
        Sample("a duplicate after an escaped pair", #"{"\ud834\udd1e":1,"𝄞":2}"#),
        Sample("a duplicate among many", "{" + (0..<500).map { "\"m\($0)\":0," }.joined() + "\"m250\":1}"),
    ]

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        Array("[\"".utf8) + bytes + Array("\"]".utf8)
    }
}

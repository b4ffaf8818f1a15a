/// Documents that every parser must accept.
///
/// The classes are those of JSONTestSuite ("Parsing JSON is a Minefield", 2016) and of the checker of json.org; the texts
/// are our own. The second text is the canonical form of the first.
enum GoodDocuments {
    static let all = structure + strings + numbers

    static let structure: [Sample] = [
        "{}", "[]", "null", "true", "false", "7", #""bar""#, #""""#, Sample(" \t\r\n[ ] \n", as: "[]"),
        Sample(" 1 ", as: "1"), Sample(" { \"a\" : [ 1 , 2 ] , \"b\" : { } } ", as: #"{"a":[1,2],"b":{}}"#),
        Sample("[1]\n", as: "[1]"), "[null,true,false]", "[[],[[]],[[],[]]]", #"{"a":{"b":{"c":{}}}}"#,
        #"{"events":[{"x":0},{"x":1}]}"#, #"{"":0}"#, #"{"a":1,"A":2}"#,
        Sample("names that differ in Unicode normalisation", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        #"{"a":1,"ab":2,"abc":3}"#, #"[{"a":1},{"a":2},{"b":{"a":3},"a":4}]"#,
        Sample(#"{"\u0061":1}"#, as: #"{"a":1}"#), #"{"null":null,"true":true}"#, #"{"z":1,"a":2,"m":3}"#,
        Sample("64 arrays deep", nest("[", 64, "1", "]")),
        Sample("64 arrays deep, the last one empty", nest("[", 64, "", "]")),
        Sample("64 objects deep", nest("{\"a\":", 63, "{}", "}")),
        Sample("64 deep twice, side by side", "[\(nest("[", 63, "", "]")),\(nest("[", 63, "", "]"))]"),
        Sample("a long array", "[" + Array(repeating: "0", count: 5000).joined(separator: ",") + "]"),
        Sample("an object of many members", "{" + (0..<500).map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"),
        #"{"type":"scroll","contentOffset":{"x":0,"y":-88.5}}"#,
    ]

    static let strings: [Sample] = [
        #"["The quick brown fox"]"#, #"["\"\\\b\f\n\r\t"]"#, Sample(#"["\/"]"#, as: #"["/"]"#), #"["/"]"#,
        #"["\u0001\u001f"]"#, #"["\u0000"]"#, #"["a\u0000b"]"#, Sample(#"["\u00E9\u00AB"]"#, as: "[\"é«\"]"),
        Sample(#"["\u0022\u005c"]"#, as: #"["\"\\"]"#), "[\"é\"]", "[\"€\"]", "[\"𝄞\"]",
        Sample("an escaped surrogate pair", #"["\uD834\uDD1E"]"#, "[\"𝄞\"]"),
        Sample("the last surrogate pair", #"["\udbff\udfff"]"#, "[\"\u{10FFFF}\"]"),
        Sample("the first surrogate pair", #"["\ud800\udc00"]"#, "[\"\u{10000}\"]"),
        Sample("the last scalar before the surrogates", #"["\ud7ff"]"#, "[\"\u{D7FF}\"]"),
        Sample("the first scalar after the surrogates", #"["\ue000"]"#, "[\"\u{E000}\"]"),
        Sample("noncharacters", #"["\uffff\ufffe"]"#, "[\"\u{FFFF}\u{FFFE}\"]"),
        Sample("DEL is no control of JSON", "[\"\u{7F}\"]"),
        Sample("controls of Latin-1", "[\"\u{80}\u{9F}\"]"),
        Sample("line separators", "[\"\u{2028}\u{2029}\"]"),
        Sample("a byte order mark in a string", "[\"\u{FEFF}\"]"),
        #"["[{]}:,"]"#, #"["/* no */ // no"]"#, #"["a\\"]"#, #"["\\\\\\\\\""]"#,
        Sample("an emoji of several scalars", "[\"👩‍👩‍👧‍👦\"]"),
        Sample("a string over 64 bytes", "[\"" + String(repeating: "x", count: 200) + "\"]"),
        Sample(
            "a quotation mark at every place",
            "["
                + (0..<70).map { place in
                    "\"" + String(repeating: "y", count: place) + "\\\"\""
                }.joined(separator: ",") + "]"
        ),
        Sample("a long string", "\"" + String(repeating: "é\\n", count: 20_000) + "\""),
    ]

    static let numbers: [Sample] = [
        "0", Sample("-0", as: "0"), Sample("-0.0", as: "0"), Sample("-0e5", as: "0"), "[1,-1]", "[0.5,-0.5,1.25]",
        Sample("[1.0,1.000]", as: "[1,1]"), Sample("[1e2,1E2,1e+2,1E+2]", as: "[100,100,100,100]"),
        Sample("[1e-2,25E-2]", as: "[0.01,0.25]"), Sample("[1e0,1e00,1e-0]", as: "[1,1,1]"),
        Sample("[1.5e3,-1.5e-3]", as: "[1500,-0.0015]"), Sample("[0e0,0e999,0.0e-999]", as: "[0,0,0]"),
        "9223372036854775807", "-9223372036854775808",
        Sample("one over the largest Int is a double", "9223372036854775808", "9.223372036854776e+18"),
        Sample("the largest of 64 bits is a double", "18446744073709551615", "1.8446744073709552e+19"),
        Sample("1e20", as: "1e+20"), Sample("100000000000000000000.0", as: "1e+20"), "9007199254740992",
        Sample("2^53 + 1, which no double is", "9007199254740993"),
        Sample("the largest double", "1.7976931348623157e308", "1.7976931348623157e+308"),
        Sample("just rounded down to the largest double", "1.7976931348623158e308", "1.7976931348623157e+308"),
        Sample("the smallest double", "5e-324"),
        Sample("just rounded up to the smallest double", "3e-324", "5e-324"),
        Sample("1e-400", as: "0"),
        Sample("the smallest normal double", "2.2250738585072014e-308"),
        Sample("the largest subnormal double", "2.225073858507201e-308"),
        // https://www.exploringbinary.com/java-hangs-when-converting-2-2250738585072012e-308/
        Sample("the number that hung Java", "2.2250738585072012e-308", "2.2250738585072014e-308"),
        Sample("a tie to even", "9007199254740993.0", "9.007199254740992e+15"),
        Sample(
            "a tie broken by the last of many digits",
            "9007199254740993.00000000000000000000000001",
            "9.007199254740994e+15"
        ),
        Sample("0.1000000000000000055511151231257827021181583404541015625", as: "0.1"),
        Sample("more than 800 digits", "0." + String(repeating: "3", count: 1000), "0.3333333333333333"),
        Sample("many zeros behind the point", "0." + String(repeating: "0", count: 400) + "1e401", "1"),
        Sample("a large exponent undone", "1" + ".0" + "e308", "1e+308"),
        Sample("-12.5e-1", as: "-1.25"),
    ]

    /// A value in `depth` pairs of brackets.
    static func nest(_ open: String, _ depth: Int, _ value: String, _ close: String) -> String {
        String(repeating: open, count: depth) + value + String(repeating: close, count: depth)
    }
}

import JSON
import TestSupport
import Testing

@Suite("Values")
struct ReadingTests {
    private static let bar = """
        {"name":"top","heights":[44,60.5,200],"pan":{"state":"changed","velocity":-1432.5},"hidden":false,"note":null,\
        "a/b~c":{"":[0]}}
        """

    private let root: JSONValue

    init() throws {
        root = try JSON.parse(Array(Self.bar.utf8))
    }

    @Test("a value has its kind")
    func kinds() throws {
        let values = try JSON.parse(Array(#"[null,true,false,1,-1,0.5,18446744073709551615,"",[],{}]"#.utf8)).array()
        let kinds = values.map(\.kind)
        #expect(kinds == [.null, .bool, .bool, .number, .number, .number, .number, .string, .array, .object])
        #expect(values[0].isNull)
        #expect(values[0].unlessNull == nil)
        #expect(try values[1].unlessNull?.bool() == true)
    }

    @Test("members are found by name")
    func members() throws {
        let bar = try root.object()
        #expect(bar.count == 6)
        #expect(try bar["name"].string() == "top")
        #expect(try bar.required("hidden").bool() == false)
        #expect(bar.optional("note")?.isNull == true)
        #expect(bar.optional("notes") == nil)
        #expect(bar.optional("not") == nil)
        #expect(bar.optional("") == nil)
        #expect(try bar["pan"].object()["velocity"].double() == -1432.5)
        #expect(bar.map(\.name) == ["name", "heights", "pan", "hidden", "note", "a/b~c"])
    }

    @Test("elements are found in order and by position")
    func elements() throws {
        let heights = try root.object()["heights"].array()
        #expect(heights.count == 3)
        #expect(!heights.isEmpty)
        #expect(try heights.map { try $0.double() } == [44, 60.5, 200])
        #expect(try heights[2].integer() == 200)
        #expect(try JSON.parse(Array("[]".utf8)).array().isEmpty)
    }

    @Test("unknown members are refused, with the pointer of the first one")
    func only() throws {
        let pan = try root.object()["pan"].object()
        try pan.only("state", "velocity")
        try pan.only("velocity", "translation", "state")
        try pan.only("velocity", "state")
        #expect(throws: JSONError(unknown: "/pan/velocity", "is unknown; the members are state, translation")) {
            try pan.only("state", "translation")
        }
        #expect(throws: JSONError(unknown: "/pan/state", "is unknown; the object has no members")) { try pan.only() }
    }

    @Test(
        "two numbers of any kind are read in either order",
        arguments: [
            (#"{"x":1,"y":2.5}"#, 1.0, 2.5), (#"{"y":2.5,"x":1}"#, 1, 2.5),
            (#"{"x":-0.0,"y":18446744073709551615}"#, 0, 0x1p64),
            (#"{ "x" : 1e2 , "\u0079" : -3 }"#, 100, -3),
        ]
    )
    func doubles(document: String, x: Double, y: Double) throws {
        let (first, second) = try JSON.parse(Array(document.utf8)).object().doubles("x", "y")
        #expect(first == x && first.sign == .plus)
        #expect(second == y)
    }

    @Test(
        "an object without exactly these two numbers has the same error as with separate reads",
        arguments: [
            "{}", #"{"x":1}"#, #"{"y":1}"#, #"{"x":1,"z":2}"#, #"{"z":1,"y":2}"#, #"{"x":1,"y":2,"z":3}"#,
            #"{"x":1,"y":"2"}"#, #"{"x":null,"y":2}"#, #"{"x":[1],"y":2}"#, #"{"x":1,"y":{"x":1,"y":2}}"#,
            #"{"y":true,"x":{}}"#,
        ]
    )
    func notDoubles(document: String) throws {
        let object = try JSON.parse(Array(document.utf8)).object()
        let error = #expect(throws: JSONError.self) { try object.doubles("x", "y") }
        #expect(throws: try #require(error)) {
            try object.only("x", "y")
            _ = (try object["x"].double(), try object["y"].double())
        }
    }

    @Test("a value of another type is refused with its pointer and both types")
    func mismatches() throws {
        let bar = try root.object()
        try refused("/name", "must be a number, was a string") { try bar["name"].double() }
        try refused("/name", "must be an integer, was a string") { try bar["name"].integer() }
        try refused("/name", "must be an object, was a string") { try bar["name"].object() }
        try refused("/heights", "must be a string, was an array") { try bar["heights"].string() }
        try refused("/heights/1", "must be a string, was a number") { try bar["heights"].array()[1].string(atMost: 3) }
        try refused("/pan", "must be an array, was an object") { try bar["pan"].array() }
        try refused("/pan/state", "must be true or false, was a string") { try bar["pan"].object()["state"].bool() }
        try refused("/hidden", "must be a number, was a boolean") { try bar["hidden"].double() }
        try refused("/note", "must be an object, was null") { try bar["note"].object() }
        try refused("", "must be an array, was an object") { try root.array() }
    }

    @Test("a missing member is refused with its pointer")
    func missing() throws {
        let bar = try root.object()
        try refused("/id", "missing member") { try bar["id"] }
        try refused("/pan/x~1y", "missing member") { try bar["pan"].object().required("x/y") }
    }

    @Test("pointers have escapes and indices")
    func pointers() throws {
        let odd = try root.object()["a/b~c"]
        #expect(root.pointer.isEmpty)
        #expect(odd.pointer == "/a~1b~0c")
        #expect(try odd.object()[""].pointer == "/a~1b~0c/")
        #expect(try odd.object()[""].array()[0].pointer == "/a~1b~0c//0")
        #expect(try root.object()["heights"].array().map(\.pointer) == ["/heights/0", "/heights/1", "/heights/2"])
        #expect(odd.error("is odd") == JSONError(pointer: "/a~1b~0c", detail: "is odd", isMalformed: false))
        #expect(try odd.object().error("is odd") == odd.error("is odd"))
        #expect("\(odd.error("is odd"))" == "/a~1b~0c: is odd")
        #expect("\(root.error("is odd"))" == "document: is odd")
    }

    @Test("every value of a document has its pointer", arguments: GoodDocuments.structure)
    func everyPointer(_ sample: Sample) throws {
        func check(_ value: JSONValue, _ pointer: String) throws {
            #expect(value.pointer == pointer)
            if let array = try? value.array() {
                for (position, element) in array.enumerated() { try check(element, "\(pointer)/\(position)") }
            } else if let object = try? value.object() {
                for (name, member) in object { try check(member, "\(pointer)/\(name)") }
            }
        }
        // Finding a pointer takes time proportional to the size of the document.
        guard sample.bytes.count < 5000 else { return }
        try check(try JSON.parse(sample.bytes), "")
    }

    @Test("errors whose pointers nobody reads take time in proportion to their number")
    func ignoredErrors() throws {
        func time(of count: Int) throws -> Duration {
            let numbers = try JSON.parse(Array("[\(Array(repeating: "0", count: count).joined(separator: ","))]".utf8))
            return try processorTime {
                let texts = try numbers.array().compactMap { try? $0.string() }
                #expect(texts.isEmpty)
            }
        }
        // A walk to each element would take sixteen times as long.
        let (short, long) = (try time(of: 5_000), try time(of: 20_000))
        #expect(long < short * 9)
        let list = try JSON.parse(Array("[1,2,3]".utf8))
        #expect(try list.array(atMost: 2).map(\.pointer) == ["/0", "/1"])
        #expect(try list.array(atMost: 4).count == 3)
    }

    @Test("a value outlives the call that parsed it, and many threads may read one document")
    func sharing() async throws {
        let roots = try (0..<20).map { number in
            try JSON.parse(Array("[\((0..<200).map { "\($0 + number)" }.joined(separator: ","))]".utf8))
        }
        let sums = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask { try roots.map { try $0.array().reduce(0) { try $0 + $1.integer() } } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: (0..<20).map { 19_900 + 200 * $0 }, count: 8))
    }
}

extension JSONError {
    fileprivate init(unknown pointer: String, _ detail: String) {
        self.init(pointer: pointer, detail: detail, isMalformed: false)
    }
}

/// Expects a well-formed value to be refused.
func refused<Value>(
    _ pointer: String,
    _ detail: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ access: () throws -> Value
) throws {
    let expected = JSONError(pointer: pointer, detail: detail, isMalformed: false)
    #expect(throws: expected, sourceLocation: sourceLocation) { try access() }
}

import Testing

@testable import SpringbarClient

@Suite("The stream of a bar")
struct BarWatchTests {
    @Test(
        "A line has a revision, ends the stream, or is ignored",
        arguments: [
            (#"data: {"revision":3,"state":{}}"#, 3), (#"data:{"revision":4}"#, 4), ("event: end", .max),
            ("event: state", nil), (": a comment", nil), ("id: 3", nil), ("", nil), ("data: {", nil),
            (#"data: {"reason":"deleted"}"#, nil),
        ] as [(String, Int?)]
    )
    func lines(text: String, revision: Int?) {
        #expect(Connection.revision(Array(text.utf8)[...]) == revision)
    }
}

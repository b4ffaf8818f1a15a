import HTTPExchange
import Testing

/// Tests that a faulty route table ends the process at its start.
@Suite
struct RouteTableTests {
    @Test("two routes for one method and path end the process")
    func duplicate() async {
        await #expect(processExitsWith: .failure) {
            _ = Router(routes: [.get("/a/{x}", saying("1")), .post("/a/{x}", saying("2")), .get("/a/{x}", saying("3"))])
        }
    }

    @Test("two names for the parameter of one path end the process")
    func names() async {
        await #expect(processExitsWith: .failure) {
            _ = Router(routes: [.get("/a/{x}", saying("1")), .post("/a/{y}", saying("2"))])
        }
    }

    @Test("the same name at two positions, and a literal beside a parameter, are not conflicts")
    func noConflict() {
        let routes: [Route] = [
            .get("/a/{x}", saying("1")), .get("/b/{x}", saying("2")), .get("/a/b", saying("3")),
            .get("/a", saying("4")), .get("/a/", saying("5")),
        ]
        #expect(Router(routes: routes).templates == ["/a/{x}", "/b/{x}", "/a/b", "/a", "/a/"])
        #expect(Router(routes: []).templates.isEmpty)
    }

    @Test(
        "a template that is not a path of literals and whole parameters ends the process",
        arguments: ["", "a/b", "/a//b", "/{}", "/{a", "/{a}.png", "/{a}/{a}", "/a b", "/a%20b", "/ä", "//"]
    )
    func malformed(template: String) async {
        await #expect(processExitsWith: .failure) { [template] in
            _ = Router(routes: [.get(template, saying("1"))])
        }
    }
}

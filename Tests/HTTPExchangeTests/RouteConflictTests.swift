import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct RouteConflictTests {
    private func conflict(_ routes: [Route]) -> RouteConflict? {
        do throws(RouteConflict) {
            _ = try Router(routes: routes)
            return nil
        } catch {
            return error
        }
    }

    @Test("two routes for one method and path are a conflict, also with others between them")
    func duplicate() {
        let routes: [Route] = [.get("/a/{x}", saying("1")), .post("/a/{x}", saying("2")), .get("/a/{x}", saying("3"))]
        #expect(conflict(routes) == .duplicate(.get, template: "/a/{x}"))
        #expect(conflict(Array(routes.dropLast())) == nil)
    }

    @Test("two names for the parameter at one position are a conflict, also in longer paths")
    func names() {
        let routes: [Route] = [.get("/a/{x}", saying("1")), .get("/a/{y}/b", saying("2"))]
        #expect(conflict(routes) == .parameterNames("x", "y", template: "/a/{y}/b"))
    }

    @Test("the same name at two positions, and a literal beside a parameter, are not conflicts")
    func noConflict() {
        #expect(conflict([.get("/a/{x}", saying("1")), .get("/b/{x}", saying("2")), .get("/a/b", saying("3"))]) == nil)
        #expect(conflict([.get("/a", saying("1")), .get("/a/", saying("2"))]) == nil)
        #expect(conflict([]) == nil)
    }

    @Test(
        "a template is a path of literals and whole parameters",
        arguments: [
            "", "a", "a/b", "/a//b", "/{}", "/{a", "/a}", "/{a}.png", "/x{a}", "/{a}/{a}", "/a b", "/a%20b", "/ä",
            "/{a b}", "//",
        ]
    )
    func malformed(template: String) {
        let found = conflict([.get(template, saying("1"))])
        guard case .malformed(template, _) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
    }

    @Test("a conflict names its routes")
    func description() {
        #expect(RouteConflict.duplicate(.get, template: "/a").description == "GET /a is repeated")
        #expect(
            RouteConflict.parameterNames("x", "y", template: "/a/{y}").description
                == "/a/{y} names a parameter {y}, and another route names it {x}"
        )
    }
}

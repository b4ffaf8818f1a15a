import HTTPTypes
import Primitives
import Synchronization
import Testing

@testable import HTTPExchange

/// Tests that the stored match of a target is used only for the same method and router.
@Suite struct StoredMatchTests {
    private static func router(_ templates: String...) -> Router {
        Router(
            routes: templates.flatMap { template in
                [Route.get(template) { _, _ in .now(Response()) }, Route.post(template) { _, _ in .now(Response()) }]
            }
        )
    }

    @Test("the last match is stored, for its method and route table only")
    func holds() throws {
        let (router, other) = (Self.router("/a/{id}"), Self.router("/a/{id}"))
        let target = Target("/a/1")
        for method in [HTTPRequest.Method.options, .post] {
            _ = router.match(method, target)
            let last = target.lastMatch.withLock { $0 }
            #expect(last?.template == "/a/{id}")
            #expect(router.match(method, target) === last)
            #expect(other.match(method, target) !== last)
        }
        #expect(router.match(.options, target) !== router.match(.post, target))
        #expect(router.match(.post, target) !== router.match(.options, target))
    }

    @Test("many threads match one target concurrently")
    func threads() async throws {
        let router = Self.router("/a/{id}")
        let target = Target("/a/1")
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<200).allSatisfy { _ in
                        let match = router.match(task.isMultiple(of: 2) ? .get : .post, target)
                        return match.route?.method == (task.isMultiple(of: 2) ? .get : .post)
                            && match.parameters["id"] == "1"
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

import Foundation
import HTTPExchange
import HTTPTypes
import Primitives
import SpringbarService
import Testing
import Yams

@Suite("The route table")
struct RoutesTests {
    /// Returns the operations of openapi.yaml, such as `GET /v1/bars/{id}`.
    private func promised() throws -> Set<String> {
        let asset = try #require(Asset("openapi.yaml"))
        let text = String(decoding: asset.bytes.buffer, as: UTF8.self)
        let document = try #require(try Yams.load(yaml: text) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head", "options"]
        return Set(
            paths.flatMap { path, item in
                item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" }
            }
        )
    }

    /// Pages for browsers and their files, which are not part of the contract.
    private let pages: Set<String> = [
        "GET /", "GET /playground/{name}", "GET /docs", "GET /watch/{id}", "GET /client/{name}",
    ]

    @Test("openapi.yaml has all operations of the route table but the pages for browsers")
    func sameOperations() throws {
        let served = Set(ServiceFixture().routes.map { "\($0.method.rawValue) \($0.template)" })
        #expect(try promised().subtracting(served) == [], "in openapi.yaml, but not served")
        #expect(served.subtracting(try promised()) == pages, "served, but not in openapi.yaml")
    }
}

import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SpringbarService
import TestSupport
import Testing

@Suite("The route table")
struct RoutesTests {
    /// Returns the operations of the contract, such as `GET /v1/bars/{id}`.
    private func promised() throws -> Set<String> {
        let paths = try #require(try Checkout.contract()["paths"] as? [String: [String: Any]])
        let methods: Set<String> = ["get", "put", "post", "delete", "patch", "head", "options"]
        return Set(
            paths.flatMap { path, item in
                item.keys.filter(methods.contains).map { "\($0.uppercased()) \(path)" }
            }
        )
    }

    /// Pages for browsers and their files, which are not part of the contract.
    private let pages: Set<String> = [
        "GET /", "GET /playground/{name}", "GET /docs", "GET /favicon.ico", "GET /watch/{id}", "GET /client/{name}",
    ]

    /// The address at which unsplash-js asks for `/unsplash/photos/{id}/download`; its description names it.
    private let alias = "GET /unsplash/unsplash/photos/{id}/download"

    @Test("The contract has all operations of the route table but the pages for browsers and one alias")
    func sameOperations() throws {
        let served = Set(try Service().routes.map { "\($0.method.rawValue) \($0.template)" })
        #expect(try promised().subtracting(served) == [], "in the contract, but not served")
        #expect(served.subtracting(try promised()) == pages.union([alias]), "served, but not in the contract")
    }
}

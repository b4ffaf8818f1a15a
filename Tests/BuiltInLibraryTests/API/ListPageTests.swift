import HTTPExchange
import Testing

@testable import BuiltInLibrary

@Suite("List pages")
struct ListPageTests {
    private func page(_ target: String, total: Int) -> (page: ListPage, link: String?) {
        let target = Target(target)
        let query = WireQuery(target)
        let page = ListPage(query, total: total)
        return (page, page.link(base: "http://h", path: target.path, query))
    }

    @Test(
        "per_page is 10 by default and at most 30; page 0 is page 1; invalid values are the default",
        arguments: [
            ("/photos", 0..<10, 10), ("/photos?page=0", 0..<10, 10), ("/photos?page=-4", 0..<10, 10),
            ("/photos?page=2", 10..<20, 10), ("/photos?per_page=30", 0..<30, 30), ("/photos?per_page=31", 0..<30, 30),
            ("/photos?per_page=100&page=3", 60..<90, 30), ("/photos?per_page=0", 0..<10, 10),
            ("/photos?page=x&per_page=y", 0..<10, 10), ("/photos?page=10&per_page=10", 90..<95, 10),
            ("/photos?page=11&per_page=10", 95..<95, 10), ("/photos?page=9223372036854775807", 95..<95, 10),
            ("/photos?page=1&page=2", 10..<20, 10),
        ]
    )
    func ranges(target: String, range: Range<Int>, size: Int) {
        let page = page(target, total: 95).page
        #expect(page.range == range)
        #expect(page.size == size)
    }

    /// The order first, prev, last, next and the sorted keys are those of the recorded exchanges (research/photos.md,
    /// section 1, "Response headers").
    @Test("Link has the upstream's order, only other pages, and the client's query, sorted")
    func links() {
        #expect(
            page("/photos?per_page=6&order_by=latest", total: 20).link == """
                <http://h/photos?order_by=latest&page=4&per_page=6>; rel="last", \
                <http://h/photos?order_by=latest&page=2&per_page=6>; rel="next"
                """
        )
        #expect(
            page("/photos?page=2", total: 25).link == """
                <http://h/photos?page=1>; rel="first", <http://h/photos?page=1>; rel="prev", \
                <http://h/photos?page=3>; rel="last", <http://h/photos?page=3>; rel="next"
                """
        )
        #expect(
            page("/photos?page=3", total: 25).link == """
                <http://h/photos?page=1>; rel="first", <http://h/photos?page=2>; rel="prev"
                """
        )
        #expect(page("/photos", total: 10).link == nil)
        #expect(page("/photos", total: 0).link == nil)
    }

    @Test("Link does not contain the key of the query, and encodes commas and quotes")
    func linkSafety() {
        let link = page("/search/photos?query=a%2Cb%22+c&client_id=secret", total: 25).link ?? ""
        #expect(!link.contains("secret"))
        #expect(link.contains("query=a%2Cb%22%20c"))
    }
}

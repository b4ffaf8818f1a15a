import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Search on the wire")
struct SearchTests {
    private let library = LibraryFixture(clock: .fixed())

    @Test("a search has total, pages and results, and the fields of a list")
    func found() async throws {
        let answer = try await library.ask("/search/photos?query=desert&per_page=10")
        let object = try answer.object()
        let total = try object["total"].integer()
        #expect(total > 50)
        #expect(try object["total_pages"].integer() == (total + 9) / 10)
        #expect(answer.fields[.xTotal] == String(total) && answer.fields[.xPerPage] == "10")
        #expect(answer.fields[.link]?.contains("/search/photos?page=2&per_page=10&query=desert>; rel=\"next\"") == true)
        #expect(answer.count("/results") == 10)
        #expect(answer.string("/results/9/urls/raw")?.contains("ixid=") == true)
    }

    @Test("each word narrows a search, in any case and order, and scripts other than Latin are found")
    func words() async throws {
        func total(_ query: String) async throws -> Int {
            try await library.ask("/search/photos?query=\(query)").object()["total"].integer()
        }
        let dunes = try await total("dunes")
        #expect(try await total("DUNE") == dunes)
        let narrowed = try await total("dunes+noon")
        #expect(narrowed > 0 && narrowed < dunes)
        #expect(try await total("noon%20dunes") == narrowed)
        #expect(try await total("%E5%B1%B1") > 0)
        #expect(try await total("zeppelin") == 0)
    }

    @Test("orientation and colour are filters, and every combination gives a part of the whole")
    func filters() async throws {
        func results(_ filter: String) async throws -> [JSONObject] {
            let answer = try await library.ask("/search/photos?query=landscape&per_page=30\(filter)")
            return try answer.object()["results"].array().map { try $0.object() }
        }
        for photo in try await results("&orientation=portrait") {
            #expect(try photo["width"].integer() < photo["height"].integer())
        }
        for photo in try await results("&orientation=squarish") {
            #expect(try photo["width"].integer() == photo["height"].integer())
        }
        #expect(try await !results("&color=orange").isEmpty)
        #expect(try await results("&color=puce").isEmpty)
    }

    @Test("a search without a query is refused, and one that looks like spam is 410")
    func refusals() async throws {
        for target in ["/search/photos", "/search/photos?query=", "/search/photos?query=+%20"] {
            let answer = try await library.ask(target)
            #expect(answer.status == 400)
            #expect(answer.text == "{\"errors\":[\"query is missing\"]}")
        }
        #expect(try await library.ask("/search/photos?query=best+CASINO").status == 410)
    }

    /// research/photos.md, section 1: "past page 200 it answers empty with total_pages: 0".
    @Test("pages after page 200 are empty")
    func limit() async throws {
        let wide = LibraryFixture(clock: .fixed()) { $0.photoCount = 1300 }
        let last = try await wide.ask("/search/photos?query=landscape&per_page=1&page=200")
        #expect(try last.object()["total_pages"].integer() > 200)
        #expect(last.count("/results") == 1)
        let past = try await wide.ask("/search/photos?query=landscape&per_page=1&page=201")
        #expect(past.status == 200)
        #expect(past.text == "{\"total\":0,\"total_pages\":0,\"results\":[]}")
    }

    @Test("twenty words of a search are read, and a repeated one costs nothing")
    func manyWords() async throws {
        func total(_ words: [String]) async throws -> Int {
            let query = words.joined(separator: "+")
            return try await library.ask("/search/photos?query=\(query)").object()["total"].integer()
        }
        let landscapes = try await total(["landscape"])
        #expect(landscapes > 0)
        #expect(try await total(Array(repeating: "landscape", count: 20) + ["nothingness"]) == landscapes)
        #expect(try await total(Array(repeating: "landscape", count: 19) + ["nothingness"]) == 0)
    }

    /// An earlier version built a table of the whole word for each text of each photo: a word of 8 kB took 2 s.
    @Test("the time for a search does not grow with a word that no text can hold")
    func longWords() async throws {
        func time(_ length: Int) async throws -> Duration {
            let word = String(repeating: "a", count: length)
            var least = Duration.seconds(60)
            // Other processes add to some rounds.
            for _ in 0..<5 {
                let start = ContinuousClock.now
                #expect(try await library.ask("/search/photos?query=\(word)").status == 200)
                least = min(least, ContinuousClock.now - start)
            }
            return least
        }
        let short = try await time(300)
        #expect(try await time(9600) < short * 8 + .milliseconds(50))
    }
}

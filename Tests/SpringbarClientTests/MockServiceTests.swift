import BarLayout
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

@Suite("The service in memory for the tests of an app")
struct MockServiceTests {
    @Test("Bars have the answers of the service", arguments: 0..<20 as Range<UInt64>)
    func sameAnswers(seed: UInt64) throws {
        var pair = Pair()
        var source = RandomBar(seed: seed)
        let definition = try source.definition()
        try pair.compare(.create(definition, key: "key"))
        try pair.compare(.create(definition, key: "key"))
        try pair.compare(.create(try source.definition(), key: "key"))
        var number = 0
        for round in 0..<8 {
            var batch: [NumberedEvent] = []
            for _ in 0..<6 {
                number += 1
                batch.append(NumberedEvent(sequence: number, event: try source.event()))
            }
            // A batch that the service refuses leaves its numbers free.
            if try !pair.compare(.post(batch)) { number -= batch.count }
            try pair.compare(.post(batch))
            try pair.compare(.post([NumberedEvent(sequence: number + 2, event: try source.event())]))
            let reused = BarEvent(.expand(true), timestamp: 1)
            try pair.compare(.post([NumberedEvent(sequence: max(1, number), event: reused)]))
            let change = round % 2 == 0 ? TrackChange.set(.shift) : .remove("alpha")
            try pair.compare(.putTracks([change], revision: number + round))
            try pair.compare(.putTracks([change], revision: -1))
            for request in [
                BarRequest.read, .log(after: 0), .log(after: number), .state(at: number / 2), .state(at: 0),
            ] {
                try pair.compare(request)
            }
        }
        pair.bars = MockBars()
        #expect(pair.refusal(.read) == "bar-not-found")
    }

    @Test("A bar goes on in an outage, and after its session is lost", .timeLimit(.minutes(1)))
    @MainActor
    func outage() async throws {
        let service = MockService()
        let bar = Springbar(transport: service).bar(try .feed())
        try bar.send(.scroll(-200))
        try await bar.settled()
        service.isUp = false
        let updates = bar.updates
        #expect(try bar.send(.scroll(-150)).state.height == 150)
        for await update in updates {
            if case .connection(.waiting) = update { break }
        }
        #expect(bar.pendingEvents.count == 1 && !bar.isSettled)
        service.kill()
        service.isUp = true
        bar.retry()
        try await bar.settled()
        #expect(bar.current.state.height == 150 && bar.pendingEvents.isEmpty)
        #expect(service.requests.filter { $0.path == "/v1/bars" }.count == 2)
        try await bar.end()
        #expect(service.requests.last?.method == "DELETE")
    }

    @Test("Pauses end when a test lets the time pass", .timeLimit(.minutes(1)))
    @MainActor
    func clock() async throws {
        let service = MockService()
        let bar = Springbar(transport: service, clock: service).bar(try .feed())
        try await bar.settled()
        service.isUp = false
        let updates = bar.updates
        try bar.send(.scroll(-200))
        var pauses = 0
        for await update in updates {
            guard case .connection(.waiting) = update else { continue }
            pauses += 1
            // The back-off would take minutes.
            if pauses == 12 { break }
            service.advance(by: 15)
        }
        let sent = service.requests.count
        service.isUp = true
        service.advance(by: 0.001)
        await Task.yield()
        #expect(service.requests.count == sent && !bar.isSettled)
        service.advance(by: 15)
        try await bar.settled()
        let end: Double = 11 * 15 + 0.001 + 15
        #expect(service.now == end)
    }

    @Test("The page of photos in docs/clients.md is one that the client reads")
    func documented() async throws {
        let example = try Checkout.text("docs/clients.md").firstMatch(of: /"\/v1\/photos", json: #"(.*)"#/)
        let service = MockService()
        service.on("GET", "/v1/photos", json: String(try #require(example).1))
        #expect(try await Springbar(transport: service).photos.page().items.isEmpty)
    }

    @Test("No bar has the id of another one, also after the service has lost it")
    @MainActor
    func ids() async throws {
        let services = [MockService(), MockService()]
        var ids: Set<String> = []
        for service in services + services {
            service.kill()
            let bar = Springbar(transport: service).bar(try .feed())
            try await bar.settled()
            ids.insert(try #require(bar.id))
        }
        #expect(ids.count == 4)
    }

    @Test("The last answer of a test comes before the others and the service's")
    func answers() async throws {
        let service = MockService()
        let page = #"{"nextCursor":null,"hasMore":false,"ageSeconds":0,"stale":false,"removedDuplicates":0}"#
        service.on("GET", "/v1/photos") { _ in ServiceResponse(status: 500) }
        service.on("GET", "/v1/photos", json: #"{"items":[],"page":\#(page)}"#)
        // An answer may use the service.
        service.on("GET", "/v1/photos") { _ in service.requests.isEmpty ? ServiceResponse(status: 500) : nil }
        #expect(try await Springbar(transport: service).photos.pager().next()?.items.isEmpty == true)
        #expect(service.requests.map(\.path) == ["/v1/photos"])
        let missing = ServiceRequest(method: "GET", path: "/v1/springs")
        #expect(try await service.send(missing, base: "").status == 404)
    }
}

/// The bars of the service in process, and of the one in memory.
private struct Pair {
    var bars = MockBars()
    private let service = ServiceInProcess()
    private var (id, mockID) = ("", "")

    /// Sends a request to both, compares the answers, and returns whether it was accepted.
    @discardableResult
    mutating func compare(_ request: BarRequest) throws -> Bool {
        let expected = Answer(request, service.respond(to: request.request(id: id)))
        let answer = Answer(request, bars.respond(to: request.request(id: mockID)))
        #expect(answer == expected, "\(request)")
        if case .create = request, let created = expected.id, let other = answer.id { (id, mockID) = (created, other) }
        return expected.code == nil
    }

    /// Returns the code of the refusal of a request by the bars in memory.
    mutating func refusal(_ request: BarRequest) -> String? {
        Answer(request, bars.respond(to: request.request(id: mockID))).code
    }
}

/// What a client reads of an answer, without the id of the bar.
private struct Answer: Equatable {
    var id: String?
    var (status, code, expected) = (0, String?.none, Int?.none)
    var numbers: [Int] = []
    var report: ReportedBar?
    var commands: [BarCommand] = []
    var values: [BarResult.Value] = []
    var snapshot: JSONDocument?
    var page: LogPage?

    init(_ request: BarRequest, _ response: ServiceResponse) {
        status = response.status
        do throws(SpringbarClient.Problem) {
            switch try request.reply(response) {
            case .page(let page): self.page = page
            case .bar(let bar):
                (id, numbers, report) = (bar.id, [bar.revision, bar.lastSequence], bar.report)
                (commands, values, snapshot) = (bar.commands, bar.values, bar.snapshot)
            }
        } catch {
            (code, expected) = (error.code, error.expectedSequence)
        }
    }

    static func == (one: Answer, other: Answer) -> Bool {
        one.status == other.status && one.code == other.code && one.expected == other.expected
            && one.numbers == other.numbers && one.report == other.report && one.commands == other.commands
            && one.values == other.values && one.page == other.page
            && Answer.sorted(one.snapshot) == Answer.sorted(other.snapshot)
    }

    /// Returns a document with the members of its objects in order, because services write them in any order.
    private static func sorted(_ document: JSONDocument?) -> JSONDocument? {
        guard case .object(let members)? = document else { return document }
        return .object(
            members.sorted { $0.name < $1.name }.compactMap { member in
                sorted(member.value).map { JSONDocument.Member(name: member.name, value: $0) }
            }
        )
    }
}

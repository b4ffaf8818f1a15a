import BarLayout
import Foundation
import Motion
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

/// The client against the running command.
@Suite("The client on the wire")
@MainActor
struct WireTests {
    @Test("A drag is predicted, sent and confirmed; the service has the same bar")
    func drag() async throws {
        let service = try ServiceProcess()
        let bar = Springbar(service.address).bar(try .feed())
        var confirmed: [ClosedRange<Int>] = []
        let observation = bar.observe { if case .confirmed(let range) = $0 { confirmed.append(range) } }
        #expect(bar.created.commands.count == 1)
        try bar.send(BarEvent(.panGesture(.began, velocity: nil)))
        for step in 0...60 { try bar.send(.scroll(-200 + Double(step) * 1.2)) }
        let result = try bar.send(BarEvent(.panGesture(.ended, velocity: nil)))
        #expect(result.state.height == 100 && result.commands.count == 1)
        try await bar.settled()
        #expect(confirmed.last?.upperBound == 63 && bar.pendingEvents.isEmpty)

        let id = try #require(bar.id)
        let client = Springbar(service.address)
        let path = "/v1/bars/" + id
        let response = try await client.connection.send(ServiceRequest(method: "GET", path: path))
        let answer = try BarAnswer(try response.document())
        #expect(answer.report.offset == bar.current.state.offset && answer.revision == bar.revision)
        #expect(answer.lastSequence == bar.lastSequence)
        try await bar.end()
        #expect(try await client.connection.send(ServiceRequest(method: "GET", path: path)).status == 404)
        observation.end()
    }

    @Test("Two clients of one bar converge, and a session that has ended is created anew")
    func twoClients() async throws {
        let service = try ServiceProcess()
        let springbar = Springbar(service.address)
        let bar = springbar.bar(try .feed())
        try bar.send(.scroll(-200))
        try await bar.settled()
        let other = springbar.bar(try .feed(), id: bar.id)
        try await other.settled()
        try other.setTracks([
            .set(try Track(name: "alpha", curve: .ranges(compactNormal: .value(1), normalExpanded: .value(2))))
        ])
        try other.send(BarEvent(.expand(true)))
        try bar.send(.scroll(-201))
        try await other.settled()
        try await bar.settled()
        try await bar.sync()
        try await other.sync()
        #expect(bar.current == other.current && bar.current["alpha"] == 2)

        let id = bar.id
        try await other.end()
        try bar.send(.scroll(-199))
        let shown = bar.current
        try await bar.settled()
        #expect(bar.id != id && bar.current.state == shown.state)
    }

    @Test("A client that follows gets the events of others while it is idle", .timeLimit(.minutes(2)))
    func follows() async throws {
        let service = try ServiceProcess()
        let springbar = Springbar(service.address)
        let bar = springbar.bar(try .feed())
        try await bar.settled()
        let watch = bar.follow()
        let updates = bar.updates
        let other = springbar.bar(try .feed(), id: bar.id)
        try other.send(BarEvent(.expand(true)))
        for await update in updates {
            if case .changed(let result) = update, result.state.height == 300 { break }
        }
        #expect(bar.current.state == other.current.state)
        watch.end()
    }

    @Test("An error has the problem's code, pointer and request id, and stops the session")
    func errors() async throws {
        let service = try ServiceProcess()
        var definition = try BarDefinition.feed()
        definition.ttlSeconds = 1
        let bar = Springbar(service.address).bar(definition)
        let problem = await #expect(throws: Problem.self) { try await bar.settled() }
        #expect(problem?.status == 422 && problem?.code == "invalid-content")
        #expect(problem?.faults.first?.pointer == "/ttlSeconds")
        #expect(problem?.requestID?.isEmpty == false && problem?.isTransient == false)
    }

    @Test("Without a service events wait, `settled()` can be cancelled, and nothing is lost")
    func offline() async throws {
        // A port that was free a moment ago, and that nothing listens on.
        let address: URL
        do {
            let service = try ServiceProcess()
            address = service.address
        }
        let bar = Springbar(address, timeout: 2).bar(try .feed())
        try bar.send(.scroll(-200))
        let waiting = Task { try await bar.settled() }
        for await update in bar.updates {
            if case .connection = update { break }
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        guard case .waiting(let end, let problem) = bar.connection else { throw UnknownForm() }
        #expect(problem.code == "unreachable" && end.timeIntervalSinceNow < 1)
        #expect(bar.pendingEvents.count == 1)
        #expect(try bar.send(.scroll(-150)).state.height == 150)
    }

    @Test("Photos come in pages without duplicates, with pictures and attribution")
    func photos() async throws {
        let service = try ServiceProcess()
        let photos = Springbar(service.address).photos
        var ids: [String] = []
        let pager = photos.pager(limit: 10)
        for try await page in pager {
            ids += page.items.map(\.id)
            if ids.count >= 30 { break }
        }
        #expect(ids.count == 30 && Set(ids).count == 30)
        let photo = try #require(await pager.items.first)
        #expect(try await photos.photo(photo.id).id == photo.id)
        #expect(!photo.attribution.text.isEmpty && photo.created != nil)
        let picture = try await photos.image(photo, width: 90, scale: 2)
        #expect(picture.count > 1000)
        #expect(try await photos.image(photo, width: 100, scale: 2) == picture)
        #expect(photos.imageURL(photo, width: 90, scale: 2)?.query == "w=200")
        try await photos.trackDownload(of: photo)
        try await photos.prefetch([photo], variant: "thumb")
        #expect(try await photos.page(of: .search("dune"), limit: 3).items.isEmpty == false)
        let missing = await #expect(throws: Problem.self) { try await photos.photo("missing") }
        #expect(missing?.code == "photo-not-found")
    }

    @Test("Springs are converted, and have CSS curves")
    func springs() async throws {
        let service = try ServiceProcess()
        let springs = Springbar(service.address).springs
        let converted = try await springs.convert(["dampingRatio": 0.8, "response": 0.3])
        let spring = try converted.spring.spring()
        #expect(spring.stiffness == converted.spring.stiffness)
        #expect(converted.conventions["uikit"]?.snippet.isEmpty == false)
        let curve = try await springs.linear(["dampingRatio": 0.8, "response": 0.3], maxError: 0.005)
        #expect(curve.css.hasPrefix("linear(0, ") && curve.maxError <= 0.005)
        #expect(curve.css.split(separator: ",").count == curve.stops)
        let fault = await #expect(throws: Problem.self) {
            try await springs.convert(["dampingRatio": -1, "response": 1])
        }
        #expect(fault?.faults.first?.parameter == "dampingRatio")
    }
}

import Foundation
import Primitives
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking

@testable import SpringbarClient
#endif

/// What a transport of `URLSession` does if the network fails in the middle of a request.
@Suite("The transport")
struct TransportTests {
    /// With a cache, FoundationNetworking stops the process here: a task may end while the cache is asked for it.
    @Test("Requests that are cancelled right after their start end as cancelled", .timeLimit(.minutes(2)))
    func cancelledAtOnce() async throws {
        let server = try LoopbackServer { _, connection in connection.answer("{}") }
        let transport = URLSessionTransport(.ephemeral, timeout: 60)
        for round in 0..<300 {
            await withTaskGroup { group in
                for index in 0..<8 {
                    let task = Task {
                        let request = ServiceRequest(method: "GET", path: "/kept/\(index)")
                        return try await transport.send(request, base: server.url)
                    }
                    group.addTask {
                        // The start and the end of a request meet at every moment of the first 1.5 ms.
                        try? await Task.sleep(for: .microseconds((round * 8 + index) * 7 % 1500))
                        task.cancel()
                        do {
                            _ = try await task.value
                        } catch {
                            #expect((error as? Problem)?.code == "cancelled")
                        }
                    }
                }
            }
        }
    }

    @Test("A silent server is a time-out", .timeLimit(.minutes(1)))
    func silent() async throws {
        let server = try LoopbackServer { _, connection in _ = connection.waitForClose() }
        let transport = URLSessionTransport(.ephemeral, timeout: 0.5)
        let request = ServiceRequest(method: "POST", path: "/v1/bars", content: "{}")
        let problem = await #expect(throws: Problem.self) { try await transport.send(request, base: server.url) }
        #expect(problem?.code == "timeout" && problem?.isTransient == true)
        #expect(server.requests.count == 1)
    }

    @Test("Any time limit is one of a second to a day", arguments: [0, -1, 1e300, .infinity, .nan] as [Double])
    func timeLimit(seconds: Double) async throws {
        let server = try LoopbackServer { _, connection in connection.answer("{}") }
        let request = ServiceRequest(method: "GET", path: "/v1/a")
        let response = try await URLSessionTransport(timeout: seconds).send(request, base: server.url)
        #expect(response.status == 200)
    }

    @Test("A redirect to another origin gets no token, and one to the same origin does", .timeLimit(.minutes(1)))
    func redirect() async throws {
        let library = try LoopbackServer { _, connection in connection.answer("{}") }
        let location = library.url
        let service = try LoopbackServer { head, connection in
            if head.hasPrefix("GET /same") { return connection.answer("{}") }
            let target = head.hasPrefix("GET /image") ? "\(location)/picture" : "/same"
            connection.answer("", status: "307 Temporary Redirect", fields: ["Location: \(target)"])
        }
        for path in ["/image", "/other"] {
            let request = ServiceRequest("GET", path, fields: ["Authorization": "Bearer secret"])
            #expect(try await URLSessionTransport().send(request, base: service.url).status == 200)
        }
        #expect(library.requests.count == 1 && library.requests.allSatisfy { !$0.contains("Bearer") })
        #expect(service.requests.count == 3 && service.requests.allSatisfy { $0.contains("Bearer secret") })
    }

    @Test("A page that is not a stream is an unreadable response, with its Retry-After", .timeLimit(.minutes(1)))
    func notAStream() async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer("Sign in", fields: ["Content-Type: text/html", "Retry-After: 7"])
        }
        let stream = URLSessionTransport().stream(ServiceRequest(method: "GET", path: "/v1"), base: server.url)
        let problem = await #expect(throws: Problem.self) { for try await _ in stream {} }
        #expect(problem?.status == 0 && problem?.code == "unreadable" && problem?.retryAfter == 7)
    }

    @Test("A POST on a kept connection that breaks ends within the time limit, and the next one has an answer")
    func keptConnectionBreaks() async throws {
        // Answers the first request of each connection, and breaks the connection at the second one.
        let answered = Lock<Set<Int32>>([])
        let server = try LoopbackServer { _, connection in
            let descriptor = connection.descriptor
            let isFirst = answered.withLock { $0.insert(descriptor).inserted || $0.remove(descriptor) == nil }
            if isFirst { return connection.answer("{}") }
            connection.breakOff()
        }
        let transport = URLSessionTransport(.ephemeral, timeout: 2)
        let request = ServiceRequest(method: "POST", path: "/v1/bars", content: "{}")
        var answers = 0
        let start = ContinuousClock.now
        for _ in 0..<4 {
            do throws(Problem) {
                let response = try await transport.send(request, base: server.url + "/kept")
                answers += response.status == 200 ? 1 : 0
            } catch {
                #expect(error.isTransient)
            }
        }
        #expect(answers >= 2)
        #expect(start.duration(to: .now) < .seconds(30))
    }
}

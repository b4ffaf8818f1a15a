/// Watches the stream of a bar: `GET /v1/bars/{id}/stream`.
struct BarWatch: Sendable {
    /// The time to wait before the stream is opened again.
    private var backOff: BackOff
    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
        backOff = BackOff(seed: .random(in: 0...UInt64.max))
    }

    /// Calls `hear` with each revision, and with `Int.max` when the session has ended, until the task is cancelled.
    ///
    /// `id` returns the id of the session; nil for none. A new stream begins with the present revision, so nothing is
    /// missed while there is none.
    mutating func run(id: @MainActor () -> String?, hear: @MainActor (Int) -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            if let id = await id() {
                let path = "/v1/bars/\(ServiceRequest.encoded(id))/stream"
                let request = ServiceRequest("GET", path, fields: ["Accept": "text/event-stream"])
                if await read(request, hear) { failures = 0 }
            }
            let seconds = backOff.pause(attempt: failures, retryAfter: nil)
            failures += 1
            do { try await Connection.sleep(seconds) } catch { return }
        }
    }

    /// Reads a stream to its end; returns whether it had an event.
    private func read(_ request: ServiceRequest, _ hear: @MainActor (Int) -> Void) async -> Bool {
        var parser = EventStreamParser()
        var hadEvent = false
        do {
            for try await bytes in connection.stream(request) {
                for event in parser.parse(bytes) {
                    hadEvent = true
                    if event.name == "end" {
                        await hear(.max)
                    } else if let document = try? JSONReader.document(Array(event.data.utf8)),
                        let revision = document["revision"]?.integer
                    {
                        await hear(revision)
                    }
                }
            }
        } catch {
            // The stream is opened again after a pause.
        }
        return hadEvent
    }
}

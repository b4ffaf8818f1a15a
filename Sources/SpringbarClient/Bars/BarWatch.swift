extension Connection {
    /// Watches a bar by its stream of Server-Sent Events, until the task is cancelled.
    ///
    /// Calls `hear` with each revision, and with `Int.max` when the session has ended.
    /// `id` returns the id of the session; nil for none. A new stream begins with the present revision, so nothing is missed
    /// while there is none.
    nonisolated func watch(id: @MainActor () -> String?, hear: @MainActor (Int) -> Void) async {
        var failures = 0
        var endedID: String?
        while !Task.isCancelled {
            if let id = await id(), id != endedID {
                do throws(Problem) {
                    if try await readStream(of: id, hear) { failures = 0 }
                } catch {
                    endedID = id
                    await hear(.max)
                }
            }
            let seconds = BackOff.pause(attempt: failures, retryAfter: nil, random: .random(in: 0...1))
            failures += 1
            do { try await clock.sleep(until: clock.now + seconds) } catch { return }
        }
    }

    /// Reads a stream, whose lines end with LF and whose events have one line of data; returns whether it had an event.
    ///
    /// - Throws: the problem of a stream that cannot be opened again, such as that of a session which has ended.
    private nonisolated func readStream(
        of id: String,
        _ hear: @MainActor (Int) -> Void
    ) async throws(Problem) -> Bool {
        let path = "/v1/bars/\(ServiceRequest.encoded(id))/stream"
        let fields = ["Accept": "text/event-stream", "X-Client": Connection.client]
        let request = ServiceRequest("GET", path, fields: fields)
        var hadEvent = false
        // The beginning of the next line.
        var unfinished: [UInt8] = []
        do {
            // A stream needs no token: its id is secret.
            for try await bytes in transport.stream(request, base: base) {
                var lines = (unfinished + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                unfinished = Array(lines.removeLast())
                for revision in lines.compactMap(Connection.revision) {
                    hadEvent = true
                    await hear(revision)
                }
            }
        } catch let problem as Problem where problem.status >= 400 && !problem.isTransient {
            throw problem
        } catch {
            // The stream is opened again after a pause.
        }
        return hadEvent
    }

    /// Returns the revision in a line of a stream, or `Int.max` for the line that ends it; nil for other lines.
    static func revision(_ line: ArraySlice<UInt8>) -> Int? {
        if line.elementsEqual("event: end".utf8) { return .max }
        let data = "data:".utf8
        guard line.starts(with: data) else { return nil }
        return (try? JSONReader.document(Array(line.dropFirst(data.count))))?["revision"]?.integer
    }
}

import ClientJSON

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
            var retryAfter: Double?
            if let id = await id(), id != endedID {
                var begun = Double.infinity
                do throws(Problem) {
                    try await readStream(of: id) { revision in
                        begun = min(begun, clock.now)
                        hear(revision)
                    }
                } catch  where error.isTransient {
                    retryAfter = error.retryAfter
                } catch {
                    endedID = id
                    await hear(.max)
                }
                if clock.now - begun >= Self.steady { failures = 0 }
            }
            let seconds = BackOff.pause(attempt: failures, retryAfter: retryAfter, random: .random(in: 0...1))
            failures += 1
            do { try await clock.sleep(until: clock.now + seconds) } catch { return }
        }
    }

    /// A stream that lives for so many seconds ends the back-off.
    private static let steady = 5.0

    /// Reads a stream to its end; its lines end with LF, and an event has one line of data.
    ///
    /// - Throws: the problem of the response. After any other failure the stream is opened again.
    private nonisolated func readStream(of id: String, _ hear: @MainActor (Int) -> Void) async throws(Problem) {
        let path = "/v1/bars/\(ServiceRequest.encoded(id))/stream"
        let fields = ["Accept": "text/event-stream", "X-Client": Connection.client]
        let request = ServiceRequest("GET", path, fields: fields)
        // The beginning of the next line.
        var unfinished: [UInt8] = []
        do {
            // A stream needs no token: its id is secret.
            for try await bytes in transport.stream(request, base: base) {
                var lines = (unfinished + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                unfinished = Array(lines.removeLast())
                for revision in lines.compactMap(Connection.revision) {
                    await hear(revision)
                }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            // The connection broke.
        }
    }

    /// Returns the revision in a line of a stream, or `Int.max` for the line that ends it; nil for other lines.
    static func revision(_ line: ArraySlice<UInt8>) -> Int? {
        if line.elementsEqual("event: end".utf8) { return .max }
        let data = "data:".utf8
        guard line.starts(with: data) else { return nil }
        return (try? JSONReader.document(Array(line.dropFirst(data.count))))?["revision"]?.integer
    }
}

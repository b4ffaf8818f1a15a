import HTTPExchange
import HTTPTypes
import JSON
import Primitives

/// The sandbox's own controls, without a key: counters and faults, for this machine only.
///
/// A page of another site can reach the port by a name that resolves to loopback (DNS rebinding), but Host has that
/// name; and a browser lets it send JSON only after a preflight, which the sandbox does not answer.
struct ControlHandlers: Sendable {
    let faults: FaultInjector
    let counters: RequestCounters

    var routes: [Route] {
        [
            .get("/sandbox/counters", access: .open) { _, _ in .now(counts()) },
            .delete("/sandbox/counters", access: .open) { _, _ in
                counters.reset()
                return .now(Response(status: .noContent))
            },
            .get("/sandbox/faults", access: .open) { _, _ in .now(list()) },
            .post("/sandbox/faults", access: .open) { request, _ in
                try request.requireJSON()
                do throws(JSONError) {
                    faults.add(try Fault(json: try JSON.parse(request.content)))
                } catch {
                    throw Problem(json: error)
                }
                return .now(list(status: .created))
            },
            .delete("/sandbox/faults", access: .open) { _, _ in
                faults.clear()
                return .now(Response(status: .noContent))
            },
        ]
    }

    private func counts() -> Response {
        let counts = counters.counts
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.object("requests") { json in
                for pathClass in PathClass.allCases where pathClass != .control {
                    json.member(pathClass.rawValue, counts.requests[pathClass] ?? 0)
                }
            }
            json.member("apiRequests", counts.apiRequests)
            json.member("imageRequests", counts.imageRequests)
            json.member("highestAPIConcurrency", counts.api.highest)
            json.member("highestImageConcurrency", counts.images.highest)
            json.member("inFlight", counts.inFlight)
            json.member("abortedDownloads", counts.abortedDownloads)
            json.member("imagesWithoutIxid", counts.imagesWithoutIxid)
            json.member("imagesWithKey", counts.imagesWithKey)
            json.member("trackedDownloads", counts.trackedDownloads)
            json.member("rateLimited", counts.rateLimited)
            json.member("picturesDrawn", counts.picturesDrawn)
        }
        return .json(json.bytes, fields: [.cacheControl: "no-store"])
    }

    private func list(status: HTTPResponse.Status = .ok) -> Response {
        var json = JSONWriter(capacity: 256)
        json.array { json in
            for fault in faults.active { fault.write(to: &json) }
        }
        return .json(json.bytes, status: status, fields: [.cacheControl: "no-store"])
    }
}

extension Request {
    /// Refuses a request with 403 unless its Host is this machine: `localhost`, or a loopback address.
    func requireLoopbackHost() throws(Problem) {
        let name = (fields.single(.host) ?? "")[...].hostAndPort?.host ?? ""
        guard name.lowercased() == "localhost" || IPAddress(name)?.isLoopback == true else {
            throw Problem(.foreignHost, "Host must be `localhost` or a loopback address.")
        }
    }
}

extension Problem.Kind {
    fileprivate static let foreignHost = Problem.Kind(
        "foreign-host",
        .forbidden,
        "The controls are for this machine only.",
        explanation: "Send the request to `localhost` or a loopback address."
    )
}

import HTTPTypes
import Logging
import Network
import Primitives

@testable import HTTPExchange

private let targets = [
    "/v1/relative-velocity?velocity=1&current=0&target=2", "/problems/not-found", "/healthz", "/",
]

private let names: [FieldName] = [
    .accept, .ifNoneMatch, .ifMatch, .range, .ifRange, .xForwardedFor, .contentType, .origin, .idempotencyKey,
    .lastEventID, .cacheControl, .acceptEncoding, .accessControlRequestMethod,
    .authorization, .traceparent, .tracestate, .xRequestID,
]

private let methods: [HTTPRequest.Method] = [.get, .head, .options, .post]

/// Fields of a request, parsed separately and by the service.
///
/// Each line is a field; its first byte selects the name.
@Sendable
func fuzzFields(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let choice = input.byte()
    var request = Request(
        method: methods[Int(choice >> 4) % methods.count],
        target: Target(targets[Int(choice & 3)]),
        from: "10.0.0.1"
    )
    while !input.isAtEnd, request.fields.count < 32 {
        let line = input.line()
        guard let first = line.first else { continue }
        let value = String(decoding: line.dropFirst().filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        request.fields.append(names[Int(first) % names.count], value)
        fuzzValue(value)
    }
    let answer = Service.application.answer(request)
    let allowed = [200, 204, 206, 304, 400, 405, 406, 412, 415, 416]
    require(allowed.contains(answer.status), "\(answer.status) for \(request.fields)")
    require(answer.fields[.xRequestID]?.isEmpty == false, "no X-Request-Id")
    if answer.status == 206 {
        require(
            answer.fields[.contentRange] != nil || answer.fields[.contentType]?.contains("multipart") == true,
            "206"
        )
    }
    if answer.status == 304 { require(answer.fields[.eTag] != nil, "304 without ETag") }
}

/// Parses one value as each of the fields that have a grammar.
private func fuzzValue(_ value: String) {
    let offers: [MediaType] = [.json, .css, .svg, .anyImage]
    if let best = Accept([value]).best(of: offers) { require(offers.contains(best), "\(best) was not offered") }
    // Parameters are not written in quotes, so only the type is parsed again.
    if let type = MediaType(value) { require(MediaType(type.essence)?.essence == type.essence, "\(type)") }

    for length in [0, 1, 1000, Int.max] {
        guard let range = ByteRange.requested(by: value, of: length) else { continue }
        require(range.lowerBound >= 0 && range.upperBound <= length, "\(range) of \(length)")
    }
    if let tag = EntityTag(value) { require(EntityTag(tag.description) == tag, "\(tag) is not parsed back") }
    if let trace = TraceContext(traceparent: value, spanID: 7) {
        require(TraceContext(traceparent: trace.traceparent, spanID: 7) == trace, "\(trace) is not parsed back")
    }
    if let address = IPAddress(value) {
        require(IPAddress(address.description) == address, "\(address) is not parsed back")
        require(CIDR(value)?.contains(address) == true, "\(address) is not in its own network")
        require(ClientKey(value) == ClientKey(address.description), "\(address) counts as two clients")
    }
    if let network = CIDR(value) { require(CIDR(network.description) == network, "\(network) is not parsed back") }
}

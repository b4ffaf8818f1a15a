import Benchmark
import JSON

/// The cost of parsing a scroll event and of writing a bar.
func jsonBenchmarks() {
    let event = Array(#"{"type":"contentOffset","contentOffset":{"x":0,"y":-199.5},"sequence":42}"#.utf8)

    Benchmark("json: read one event") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try offset(inDocument: event))
        }
    }

    let batch = Array(
        #"{"events":[\#(Array(repeating: String(decoding: event, as: UTF8.self), count: 500).joined(separator: ","))]}"#
            .utf8
    )

    Benchmark("json: read a batch of 500", configuration: .init(scalingFactor: .one)) { benchmark in
        for _ in benchmark.scaledIterations {
            let events = try JSON.parse(batch).object().required("events").array()
            for event in events {
                blackHole(try offset(in: event))
            }
        }
    }

    Benchmark("json: write a bar") { benchmark in
        for step in benchmark.scaledIterations {
            blackHole(barDocument(offset: -200 + Double(step) / 7))
        }
    }
}

private func offset(inDocument bytes: [UInt8]) throws -> Double {
    try offset(in: try JSON.parse(bytes))
}

/// Parses an event as strictly as the service: its members by name, and no others.
private func offset(in value: JSONValue) throws -> Double {
    let event = try value.object()
    try event.only("type", "contentOffset", "sequence")
    guard try event.required("type").string() == "contentOffset" else { throw event.error("is another event") }
    _ = try event.required("sequence").integer(in: 1...1_000_000)
    let point = try event.required("contentOffset").object()
    try point.only("x", "y")
    return try point.required("x").double() + point.required("y").double()
}

/// The members of a bar, with one number that has all its digits.
private func barDocument(offset: Double) -> [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.object { json in
        json.member("id", "b7f2c1de90ab4f6e8d3c5a7b9e1f2d4c")
        json.member("revision", 42)
        json.member("lastSequence", 42)
        json.member("expiresAt", "2026-01-01T00:15:00Z")
        json.object("state") { json in
            json.member("offset", offset)
            json.member("height", -offset)
            json.member("isExpandedStateAvailable", false)
            json.member("transitionProgress", 1 + offset / 300)
            json.member("stateRange", "compactNormal")
        }
        json.object("scrollable") { json in
            json.member("id", "main")
            json.object("contentInset") { json in
                json.member("top", 200)
                json.member("bottom", 0)
            }
            json.object("scrollIndicatorInsets") { json in json.member("top", 200) }
        }
        json.array("commands") { _ in }
        json.object("values") { _ in }
    }
    return json.bytes
}

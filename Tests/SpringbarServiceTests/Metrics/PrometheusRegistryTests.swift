import Primitives
import SpringbarService
import Synchronization
import Testing

@Suite("PrometheusRegistry")
struct PrometheusRegistryTests {
    private func text(of registry: PrometheusRegistry, at now: Instant = .now) -> [String] {
        registry.exposition(at: now).withBytes { String(decoding: $0, as: UTF8.self) }
            .split(separator: "\n").map(String.init)
    }

    @Test("Counters are written with their labels, help and type")
    func counters() {
        let registry = PrometheusRegistry()
        registry.observe { samples in
            samples.add("requests_total", 3, "Requests.", labels: [("route", "/a"), ("status", "200")])
            samples.add("requests_total", 1, "Requests.", labels: [("route", "/b\"\\\n"), ("status", "404")])
        }
        #expect(
            text(of: registry) == [
                "# HELP requests_total Requests.",
                "# TYPE requests_total counter",
                #"requests_total{route="/a",status="200"} 3"#,
                #"requests_total{route="/b\"\\\n",status="404"} 1"#,
            ]
        )
    }

    @Test("A histogram is written with cumulative buckets in seconds")
    func histogram() {
        let registry = PrometheusRegistry()
        registry.observe { samples in
            var durations = DurationHistogram()
            for nanoseconds in [1_000_000, 1_000_001, 60_000_000_000] { durations.record(.nanoseconds(nanoseconds)) }
            samples.add("duration_seconds", durations, "Durations.")
        }
        let lines = text(of: registry)
        #expect(lines.prefix(2) == ["# HELP duration_seconds Durations.", "# TYPE duration_seconds histogram"])
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0005"} 0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.001"} 1"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0025"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="10.0"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="+Inf"} 3"#))
        #expect(lines.contains("duration_seconds_count 3"))
        #expect(lines.contains { $0.hasPrefix("duration_seconds_sum 60.002") })
    }

    @Test("The text is made once a second at most, for any number of clients")
    func onceASecond() {
        let registry = PrometheusRegistry()
        let reads = Atomic(0)
        registry.observe { _ in reads.add(1, ordering: .relaxed) }
        let start = Instant.now
        let first = registry.exposition(at: start)
        for offset in [0, 1, 999] { #expect(registry.exposition(at: start + .milliseconds(offset)) === first) }
        #expect(reads.load(ordering: .relaxed) == 1)
        #expect(registry.exposition(at: start + .seconds(1)) !== first)
        #expect(reads.load(ordering: .relaxed) == 2)
        #expect(first.reservation != nil, "a client pays for a text that it does not read")
    }

    @Test("The values of a part are read once for every text")
    func observed() {
        let registry = PrometheusRegistry()
        let reads = Atomic(0)
        registry.observe { samples in
            samples.prefix = "part_"
            let read = reads.add(1, ordering: .relaxed).newValue
            samples.add("reads_total", read, "Reads.")
            for kind in ["a", "b"] { samples.add("level", 0.5, "Levels.", labels: [("kind", kind)]) }
        }
        let start = Instant.now
        for read in 1...2 {
            #expect(
                text(of: registry, at: start + .seconds(read)) == [
                    "# HELP part_level Levels.", "# TYPE part_level gauge",
                    #"part_level{kind="a"} 0.5"#, #"part_level{kind="b"} 0.5"#,
                    "# HELP part_reads_total Reads.", "# TYPE part_reads_total counter", "part_reads_total \(read)",
                ]
            )
        }
    }
}

import CoreMetrics
import SpringbarService
import Synchronization
import Testing

@Suite("PrometheusRegistry")
struct PrometheusRegistryTests {
    private func text(of registry: PrometheusRegistry) -> [String] {
        String(decoding: registry.exposition(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("Counters are written with their labels, help and type")
    func counters() {
        let registry = PrometheusRegistry(help: ["requests_total": "Requests."])
        registry.makeCounter(label: "requests_total", dimensions: [("route", "/a"), ("status", "200")]).increment(by: 2)
        registry.makeCounter(label: "requests_total", dimensions: [("route", "/a"), ("status", "200")]).increment(by: 1)
        registry.makeCounter(label: "requests_total", dimensions: [("route", "/b\"\\\n"), ("status", "404")])
            .increment(by: 1)
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
        let timer = registry.makeTimer(label: "duration_seconds", dimensions: [])
        timer.recordNanoseconds(1_000_000)
        timer.recordNanoseconds(1_000_001)
        timer.recordNanoseconds(60_000_000_000)
        let lines = text(of: registry)
        #expect(lines.first == "# TYPE duration_seconds histogram")
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0005"} 0"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.001"} 1"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="0.0025"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="10.0"} 2"#))
        #expect(lines.contains(#"duration_seconds_bucket{le="+Inf"} 3"#))
        #expect(lines.contains("duration_seconds_count 3"))
        #expect(lines.contains { $0.hasPrefix("duration_seconds_sum 60.002") })
    }

    @Test("The values of a part are read once for every scrape")
    func observed() {
        let registry = PrometheusRegistry()
        let reads = Atomic(0)
        registry.observe { samples in
            samples.prefix = "part_"
            let read = reads.add(1, ordering: .relaxed).newValue
            samples.add("reads_total", read, "Reads.")
            for kind in ["b", "a"] { samples.add("level", 0.5, "Levels.", labels: [("kind", kind)]) }
        }
        for read in 1...2 {
            #expect(
                text(of: registry) == [
                    "# HELP part_level Levels.", "# TYPE part_level gauge",
                    #"part_level{kind="a"} 0.5"#, #"part_level{kind="b"} 0.5"#,
                    "# HELP part_reads_total Reads.", "# TYPE part_reads_total counter", "part_reads_total \(read)",
                ]
            )
        }
    }

    @Test("A meter is written as a gauge")
    func meter() {
        let registry = PrometheusRegistry()
        let meter = registry.makeMeter(label: "level", dimensions: [])
        meter.set(Int64(3))
        meter.increment(by: 1)
        #expect(text(of: registry) == ["# TYPE level gauge", "level 4"])
    }

    @Test("Counts from many threads are not lost")
    func concurrency() async {
        let registry = PrometheusRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        registry.makeCounter(label: "c", dimensions: []).increment(by: 1)
                        registry.makeTimer(label: "t", dimensions: []).recordNanoseconds(1)
                    }
                }
            }
        }
        #expect(text(of: registry).contains("c 8000"))
        #expect(text(of: registry).contains("t_count 8000"))
    }

    @Test("Memory, processor time and descriptors of the process are written")
    func processUsage() {
        let usage = ProcessUsage.current
        #expect(usage.residentBytes > 1 << 20)
        #expect(usage.cpuSeconds > 0)
        #expect(usage.openDescriptors >= 3)
    }
}

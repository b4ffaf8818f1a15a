import Benchmark

/// Every micro-benchmark, by module: what `swift package benchmark` runs.
let benchmarks: @Sendable () -> Void = {
    // The numbers are those of one operation: what runs a thousand times for a sample is divided again.
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput],
        warmupIterations: 10,
        scalingFactor: .kilo,
        maxDuration: .seconds(2),
        maxIterations: 100_000
    )
    barBenchmarks()
    jsonBenchmarks()
    exchangeBenchmarks()
    motionBenchmarks()
    photoBenchmarks()
}

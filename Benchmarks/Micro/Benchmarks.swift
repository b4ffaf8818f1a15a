import Benchmark

/// All micro-benchmarks, by module, for `swift package benchmark`.
let benchmarks: @Sendable () -> Void = {
    // Figures are per operation: a sample of a thousand operations is divided.
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput],
        warmupIterations: 10,
        scalingFactor: .kilo,
        maxDuration: .seconds(2),
        maxIterations: 100_000
    )
    barBenchmarks()
    clientBenchmarks()
    jsonBenchmarks()
    exchangeBenchmarks()
    motionBenchmarks()
    photoBenchmarks()
}

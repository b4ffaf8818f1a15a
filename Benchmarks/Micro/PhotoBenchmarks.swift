import Benchmark
import Primitives

/// The image cache: the cost of a look-up, and the hit rate of each policy with the same number of bytes.
func photoBenchmarks() {
    Benchmark("photos: hit a cached picture") { benchmark in
        var cache = BoundedCache<Int, Int>(capacity: PictureTrace.cachedPictures)
        for picture in 0..<PictureTrace.cachedPictures { cache.insert(picture, for: picture, cost: 1) }
        benchmark.startMeasurement()
        for step in benchmark.scaledIterations {
            blackHole(cache.value(for: step % PictureTrace.cachedPictures))
        }
    }

    replay(PictureTrace.zipf, "by popularity")
    replay(PictureTrace.scroll, "by scrolling")
}

private func replay(_ trace: [Int], _ name: String) {
    replay(trace, name, LRU.self)
    replay(trace, name, SIEVE.self)
    replay(trace, name, S3FIFO.self)
}

/// Requests each picture of a trace in turn, and caches those that are missing.
private func replay<Policy: EvictionPolicy>(_ trace: [Int], _ name: String, _ policy: Policy.Type) {
    Benchmark(
        "photos: asked for \(name), \(Policy.self)",
        configuration: .init(metrics: [.wallClock, hitsInTenThousand], scalingFactor: .one)
    ) { benchmark in
        var cache = PolicyCache<Int, Int, Policy>(capacity: PictureTrace.cachedPictures)
        var hits = 0
        benchmark.startMeasurement()
        for picture in trace {
            if cache.value(for: picture) != nil {
                hits += 1
            } else {
                cache.insert(picture, for: picture, cost: 1)
            }
        }
        benchmark.stopMeasurement()
        benchmark.measurement(hitsInTenThousand, hits * 10_000 / trace.count)
    }
}

private let hitsInTenThousand = BenchmarkMetric.custom("hits in 10,000", polarity: .prefersLarger)

/// The order of picture requests; all pictures have the same size.
enum PictureTrace {
    /// The number of pictures of 100 kB in 64 MiB.
    static let cachedPictures = 671
    private static let pictures = 10_000
    private static let length = 100_000

    /// Independent requests: the n-th most popular picture is requested in proportion to 1/n.
    static let zipf: [Int] = {
        var random = Randomness()
        var sums: [Double] = []
        for rank in 1...pictures { sums.append((sums.last ?? 0) + 1 / Double(rank)) }
        return (0..<length).map { _ in
            let place = random.next() * sums[pictures - 1]
            return sums.partitioningIndex { $0 > place }
        }
    }()

    /// The trace of a photo feed.
    ///
    /// 20 people at a time scroll through one feed from its top, and each leaves after 1 to 1,500 pictures.
    static let scroll: [Int] = {
        var random = Randomness()
        var readers = [(next: Int, last: Int)](repeating: (0, -1), count: 20)
        return (0..<length).map { _ in
            let reader = Int(random.next() * Double(readers.count))
            if readers[reader].next > readers[reader].last {
                let depth = random.next()
                readers[reader] = (0, Int(1500 * depth * depth))
            }
            defer { readers[reader].next += 1 }
            return readers[reader].next
        }
    }()
}

/// A generator with the same numbers in every run (SplitMix64).
private struct Randomness {
    private var state: UInt64 = 42

    /// Returns a number from 0 to below 1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}

extension [Double] {
    /// Returns the index of the first element that satisfies `isBeyond`; all elements after it must satisfy it too.
    fileprivate func partitioningIndex(_ isBeyond: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

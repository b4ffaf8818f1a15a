import Benchmark
import Primitives

/// The image cache: the cost of a look-up.
func photoBenchmarks() {
    Benchmark("photos: hit a cached picture") { benchmark in
        // The number of pictures of 100 kB in 64 MiB.
        let pictures = 671
        var cache = BoundedCache<Int, Int>(capacity: pictures)
        for picture in 0..<pictures { cache.insert(picture, for: picture, cost: 1) }
        benchmark.startMeasurement()
        for step in benchmark.scaledIterations {
            blackHole(cache.value(for: step % pictures))
        }
    }
}

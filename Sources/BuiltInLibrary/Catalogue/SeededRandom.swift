/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A generator for item `number` of stream `stream`: items can be made in any order and do not change each other.
    init(seed: UInt64, stream: UInt64, number: Int) {
        var mixer = SeededRandom(seed: seed ^ (stream &* 0xA24B_AED4_963E_E407))
        state = mixer.next() ^ (UInt64(truncatingIfNeeded: number) &* 0x9FB2_1C65_1E98_DF25)
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func float(_ range: ClosedRange<Float>) -> Float {
        range.lowerBound + Float(next() >> 40) * 0x1p-24 * (range.upperBound - range.lowerBound)
    }

    /// A number in `0 ..< bound`; `bound` is positive.
    mutating func below(_ bound: Int) -> Int {
        // The bias of a remainder is below 2^-50 for the small bounds used here.
        Int(next() % UInt64(bound))
    }

    /// One of the elements, all equally likely; the array is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// True in `percent` of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }
}

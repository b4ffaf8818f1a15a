import Synchronization

/// Numbers that do not come twice in the life of a process, and hardly ever in two: names for requests and spans.
///
/// A counter behind SplitMix64's mixer (Steele, Lea, Flood 2014), which maps 64 bits to 64 bits one to one: as unique
/// as a counter, as shapeless as chance, and a few nanoseconds where the kernel's random numbers cost a system call.
/// They are names and no secrets: who knows one can work out the next.
package final class UniqueNumbers: Sendable {
    private let counter: Atomic<UInt64>

    /// Starts at a point of its own for each process.
    package init(seed: UInt64 = .random(in: .min ... .max)) {
        counter = Atomic(seed)
    }

    /// The next number, never 0.
    package func next() -> UInt64 {
        while true {
            let state = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            if mixed != 0 { return mixed }
        }
    }

    /// A request id: the next number in thirteen digits of Crockford's base 32 (no I, L, O, U), which is short enough
    /// to be kept inside of a `String` without an allocation.
    package func nextID() -> String {
        var rest = next()
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for position in (0..<13).reversed() {
                buffer[position] = UniqueNumbers.digits[Int(rest & 31)]
                rest >>= 5
            }
            return 13
        }
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}

// The state of a gate as bytes, for a store that replicas share. The limit is not in them: each replica has its own
// setting, which is usually the same.
//
// | bytes | |
// |---|---|
// | 1 | the version of the format |
// | 1 | flags |
// | 1 | the state of the breaker: closed, open or probing |
// | 8 each | calls, the library's least count, end of the hour, next probe; failures, end of the state, pause |
//
// Numbers are big-endian; times are milliseconds since an origin, such as 1970.

/// The reason why the bytes of a gate cannot be read.
package enum GateBytesError: Error, Sendable, Equatable {
    /// The format is that of another version of the service.
    case unknownFormat(UInt8)
    case wrongLength(Int)
    /// A flag, a state or a number is not one that a gate has.
    case invalid
}

/// The flags of a gate.
private struct GateFlags: OptionSet {
    let rawValue: UInt8

    static let refused = GateFlags(rawValue: 1 << 0)
    static let probing = GateFlags(rawValue: 1 << 1)
    static let hasLeastRemaining = GateFlags(rawValue: 1 << 2)
    static let lockedOut = GateFlags(rawValue: 1 << 3)

    static let known: GateFlags = [.refused, .probing, .hasLeastRemaining, .lockedOut]
}

extension UpstreamGate {
    /// The version of the format, which is the first byte.
    package static let format: UInt8 = 1
    /// The number of bytes.
    package static let byteCount = 3 + 7 * 8
    /// The largest count and the largest time that are read: later additions to them do not overflow.
    private static let largestCount: Int64 = 1 << 31
    private static let largestTime: Int64 = 1 << 50

    /// A gate for replicas with `limit` calls an hour, at least 1.
    ///
    /// Its hours follow each other from `origin` on, such as 1970.
    package static func shared(
        limit: Int,
        now: ContinuousClock.Instant,
        origin: ContinuousClock.Instant
    ) -> UpstreamGate {
        let hours = (now - origin).components.seconds / 3600 + 1
        return UpstreamGate(
            budget: HourlyBudget(limit: limit, hourEnds: origin + .seconds(3600) * hours),
            breaker: sharedBreaker
        )
    }

    /// A closed breaker of replicas.
    ///
    /// A replica may end during its probe. The longest probe is longer than a call.
    private static var sharedBreaker: CircuitBreaker { CircuitBreaker(longestProbe: .seconds(60)) }

    /// The state as bytes, with times since `origin`.
    package func bytes(since origin: ContinuousClock.Instant) -> [UInt8] {
        var flags: GateFlags = []
        if budget.isRefused { flags.insert(.refused) }
        if budget.isProbing { flags.insert(.probing) }
        if budget.leastRemaining != nil { flags.insert(.hasLeastRemaining) }
        if isLockedOut { flags.insert(.lockedOut) }
        let (kind, failures, until): (UInt8, Int, ContinuousClock.Instant?) =
            switch breaker.state {
            case .closed(let failures): (0, failures, nil)
            case .open(let until): (1, 0, until)
            case .probing(let until): (2, 0, until)
            }
        var bytes = [UpstreamGate.format, flags.rawValue, kind]
        bytes.reserveCapacity(UpstreamGate.byteCount)
        for number in [
            Int64(budget.used), Int64(budget.leastRemaining ?? 0), (budget.hourEnds - origin).wholeMilliseconds,
            (budget.nextProbe - origin).wholeMilliseconds, Int64(failures),
            until.map { ($0 - origin).wholeMilliseconds } ?? 0, breaker.pause.wholeMilliseconds,
        ] {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Reads a gate that `bytes(since:)` wrote, for `limit` calls an hour, at least 1.
    package init(
        _ bytes: some Collection<UInt8>,
        limit: Int,
        since origin: ContinuousClock.Instant
    ) throws(GateBytesError) {
        guard let format = bytes.first else { throw .wrongLength(0) }
        guard format == UpstreamGate.format else { throw .unknownFormat(format) }
        guard bytes.count == UpstreamGate.byteCount else { throw .wrongLength(bytes.count) }
        let bytes = Array(bytes)
        let flags = GateFlags(rawValue: bytes[1])
        guard GateFlags.known.isSuperset(of: flags) else { throw .invalid }
        let numbers = stride(from: 3, to: bytes.count, by: 8).map { start in
            Int64(bitPattern: bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) })
        }
        func count(_ index: Int) throws(GateBytesError) -> Int {
            guard 0...UpstreamGate.largestCount ~= numbers[index] else { throw .invalid }
            return Int(numbers[index])
        }
        func time(_ index: Int) throws(GateBytesError) -> Duration {
            guard 0...UpstreamGate.largestTime ~= numbers[index] else { throw .invalid }
            return .milliseconds(numbers[index])
        }
        let budget = HourlyBudget(
            limit: limit,
            used: try count(0),
            hourEnds: origin + (try time(2)),
            isRefused: flags.contains(.refused),
            leastRemaining: flags.contains(.hasLeastRemaining) ? Int(numbers[1]) : nil,
            nextProbe: origin + (try time(3)),
            isProbing: flags.contains(.probing)
        )
        let (failures, until) = (try count(4), origin + (try time(5)))
        let state: CircuitBreaker.State =
            switch bytes[2] {
            case 0: .closed(failures: failures)
            case 1: .open(until: until)
            case 2: .probing(until: until)
            default: throw .invalid
            }
        var breaker = UpstreamGate.sharedBreaker
        breaker.restore(state, pause: try time(6))
        self.init(budget: budget, breaker: breaker, isLockedOut: flags.contains(.lockedOut))
    }
}

extension Duration {
    /// The whole milliseconds, within the limits of a gate that is read.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(0, seconds), 1 << 40) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

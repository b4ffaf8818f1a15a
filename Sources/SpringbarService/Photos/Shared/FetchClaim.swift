import SharedState

/// The right to fetch the record of a key, as a lease under this key.
///
/// The lease is a value without content, with the token of the replica as its version. The fetched record replaces it in
/// an exchange with the token as its base, so the store refuses the record of a replica that has lost its lease.
struct FetchClaim: Sendable {
    let lease: SharedLease
    /// The time to live of the record, whether it is fetched or put back.
    let recordLife: Duration
    /// The record that the lease has replaced, such as outdated details; it is put back if the fetch fails.
    var previous: SharedValue?

    /// The time to live of a lease: after the death of a replica others wait so long.
    static let timeToLive = Duration.seconds(3)
    /// The time between two renewals.
    static let renewal = Duration.seconds(1)
    /// The longest time between two looks at a lease of another replica.
    static let patience = Duration.milliseconds(250)
    /// The longest wait for one lease of another replica, which ends before unless the store keeps it without an end.
    static let longestWait = Duration.seconds(60)

    /// The value of the lease.
    var value: SharedValue { SharedValue(lease.token) }

    /// The step that follows from the value of a key.
    enum Step: Sendable {
        /// This replica has the lease.
        case fetch
        /// Another replica has the lease.
        case wait(token: SharedVersion)
        /// The record is an answer, if it can be read and is not outdated; otherwise the lease replaces it.
        case consider(SharedValue)
    }

    func step(for creation: SharedCreation) -> Step {
        switch creation {
        case .created: .fetch
        // An earlier call with an unknown outcome has taken the lease.
        case .exists(let value) where value.version == lease.token: .fetch
        case .exists(let value) where value.content.isEmpty: .wait(token: value.version)
        case .exists(let value): .consider(value)
        }
    }

    /// The outcome of a landing: the exchange of the lease for a record.
    enum Landing: Sendable, Hashable {
        case landed
        /// The record is too large for the store, and the lease is released.
        case tooLarge
        /// The lease was lost, and the record is not stored.
        case lost
    }

    /// Returns the outcome of a landing from the result of the exchange.
    static func landing(of record: SharedValue, _ result: SharedExchange) -> Landing {
        switch result {
        case .done: .landed
        // An earlier call with an unknown outcome has stored the record.
        case .conflict(let present) where present == record: .landed
        case .conflict, .missing: .lost
        }
    }
}

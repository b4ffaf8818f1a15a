/// A change of a value and of its log.
package struct SharedWrite: Sendable, Hashable {
    /// The version that the value must have.
    package let base: SharedVersion
    /// The next value.
    package let value: SharedValue
    /// The time until the end of the value, unless another write comes first; above zero.
    package let timeToLive: Duration
    /// The number of entries to drop at the start of the log: at most those that the log has.
    package let dropping: Int
    /// The entries to append to the log.
    package let appending: [[UInt8]]
    /// Bytes for watchers, which get them after the value; they are not stored.
    package let note: [UInt8]
    /// Whether the whole log is dropped, so that the write needs no memory and is made in a full engine, too.
    package let endsLog: Bool

    package init(
        base: SharedVersion,
        value: SharedValue,
        timeToLive: Duration,
        dropping: Int = 0,
        appending: [[UInt8]] = [],
        note: [UInt8] = [],
        endsLog: Bool = false
    ) {
        self.base = base
        self.value = value
        self.timeToLive = timeToLive
        self.dropping = dropping
        self.appending = appending
        self.note = note
        self.endsLog = endsLog
    }
}

/// The result of a creation.
package enum SharedCreation: Sendable, Hashable {
    /// The value is stored.
    case created
    /// The key has this value, and keeps it.
    case exists(SharedValue)
}

/// The result of an exchange or a deletion.
package enum SharedExchange: Sendable, Hashable {
    case done
    /// The key has this value, of another version, and keeps it.
    case conflict(SharedValue)
    /// The key has no value.
    case missing
}

/// The reason why a call of an engine has no result.
package enum SharedStateError: Error, Sendable, Hashable {
    /// The engine is unavailable, overloaded or not ready. The call had no effect.
    case unavailable
    /// The connection was lost, or the time-out passed, after the call was sent. It may have had its effect, or may
    /// have it later. A read throws it, too.
    case unknownOutcome
    /// The engine has no memory, or no disk, for a write. The call had no effect.
    case full
    /// The engine refused the call for another reason, such as missing rights. The call had no effect. The engine logs
    /// the reason.
    case refused
    /// The caller's task was cancelled. The call may have its effect.
    case cancelled
}

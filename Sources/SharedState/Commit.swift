/// A change of a record and of its log.
///
/// A record begins with its version. Its log is a start, which is the state before the oldest entry, and the entries.
package struct Commit: Sendable, Hashable {
    /// The version that the record must have.
    package let base: RecordVersion
    /// The next record, with its version.
    package var record: [UInt8]
    /// The time until the end of the record, unless another write comes first; above zero.
    package let timeToLive: Duration
    /// Bytes for watchers, which get them after the record; they are not stored.
    package let broadcast: [UInt8]
    /// The change of the log; nil ends the log, which a store without memory can do.
    package var log: LogChange?

    package init(
        base: RecordVersion,
        record: [UInt8],
        timeToLive: Duration,
        broadcast: [UInt8] = [],
        log: LogChange? = LogChange()
    ) {
        self.base = base
        self.record = record
        self.timeToLive = timeToLive
        self.broadcast = broadcast
        self.log = log
    }
}

package struct LogChange: Sendable, Hashable {
    /// The number of entries to drop at the start of the log: at most those that the log has.
    package var dropping: Int
    /// The start of the log: for its first entry, and for a log that drops entries.
    package var start: [UInt8]?
    package let entries: [[UInt8]]

    package init(dropping: Int = 0, start: [UInt8]? = nil, entries: [[UInt8]] = []) {
        self.dropping = dropping
        self.start = start
        self.entries = entries
    }
}

package struct LoggedRecord: Sendable, Hashable {
    package var record: [UInt8]
    /// The state before the oldest entry; nil without a log.
    package var start: [UInt8]?
    package var entries: [[UInt8]]

    package init(_ record: [UInt8], start: [UInt8]? = nil, entries: [[UInt8]] = []) {
        self.record = record
        self.start = start
        self.entries = entries
    }
}

/// The result of a creation, a commit or a removal.
package enum CommitResult: Sendable, Hashable {
    case done
    /// The key has this record, of another version, and keeps it.
    case conflict([UInt8])
    /// The key has no record; not for a creation.
    case missing
}

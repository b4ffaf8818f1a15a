import SharedState

// Records and commits of the tests: the record of a version begins with its number and the number of its writer.

let minute = Duration.seconds(60)

func version(_ number: UInt64, writer: UInt64 = 7) -> RecordVersion { RecordVersion(high: number, low: writer) }

func record(_ number: UInt64, _ text: String = "", writer: UInt64 = 7) -> [UInt8] {
    version(number, writer: writer).bytes + Array(text.utf8)
}

/// A commit of the next version, which lives for a minute; its log has the changes, or ends.
func commit(
    _ base: UInt64,
    broadcast: [UInt8] = [],
    dropping: Int = 0,
    start: [UInt8]? = nil,
    entries: [[UInt8]] = [],
    endsLog: Bool = false
) -> Commit {
    Commit(
        base: version(base),
        record: record(base + 1),
        timeToLive: minute,
        broadcast: broadcast,
        log: endsLog ? nil : LogChange(dropping: dropping, start: start, entries: entries)
    )
}

package springbar

/** What of the service's log is read, and what it told (docs/rules.md, S9 to S11). */
class Log(val after: Double, val isTrimmed: Boolean, val isWhole: Boolean) {
    var next = after
    var isBegun = false
    /** Whether there was a `sync()` since the last page was asked for. */
    var isAskedAgain = false
    var isComplete = !isTrimmed && !isWhole
    /** Whether the log has not told all events. */
    var hasGap = false
    val commands = mutableListOf<Json>()
    val found = mutableListOf<List<Double>>()
}

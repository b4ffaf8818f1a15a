package springbar

import kotlin.math.max
import kotlin.math.min

/** An event that is not confirmed, and the commands that were predicted for it. */
class Entry(val event: Json, var commands: List<Json>, var isDoubtful: Boolean = false)

/** The events of a session: those that wait, and the last confirmed ones (docs/rules.md, S4, S5, S10, S13). */
class Queue {
    val pending = mutableListOf<Entry>()
    var sequence = 0.0
        private set
    private var kept = mutableListOf<Json>()
    private var limit = 500
    private var sent = 0
    private var missing = Double.POSITIVE_INFINITY

    val hasMissing get() = missing.isFinite()
    val isEmpty get() = pending.isEmpty() && !hasMissing

    fun next(): List<Json> {
        val events = kept.filter { it.number("sequence") >= missing }.take(limit).toMutableList()
        for (entry in pending.take(limit - events.size)) {
            val last = if (events.isEmpty()) sequence else events.last().number("sequence")
            events += entry.event + ("sequence" to last + 1)
        }
        sent = events.size
        return events
    }

    fun confirm(last: Double): List<Entry> {
        missing = if (last < sequence) last + 1 else Double.POSITIVE_INFINITY
        limit = min(500, 2 * limit)
        val count = min(pending.size, max(0, (last - sequence).toInt()))
        val confirmed = pending.take(count)
        pending.subList(0, count).clear()
        for (entry in confirmed) keep(entry.event + ("sequence" to sequence + 1))
        return confirmed
    }

    fun keep(event: Json) {
        sequence = event.number("sequence")
        kept.add(event)
        if (kept.size > 1024) kept = kept.takeLast(512).toMutableList()
    }

    /** Removes the event that a log has, and those sent before it; null if it is another writer's. */
    fun claim(logged: Json): List<Entry>? {
        val index = pending.indexOfFirst { it.event["timestamp"] == logged["timestamp"] && it.event["type"] == logged["type"] }
        if (index < 0) return null
        val own = pending.take(index + 1)
        pending.subList(0, index + 1).clear()
        return own
    }

    fun goBack(to: Double): Boolean {
        val first = kept.firstOrNull { it.number("sequence") >= to }?.number("sequence")
        if (to > sequence || first != to) return false
        missing = to
        return true
    }

    fun restart(at: Double = 0.0) {
        sequence = at
        kept.clear()
        missing = Double.POSITIVE_INFINITY
        limit = 500
    }

    fun doubt() = pending.take(sent).forEach { it.isDoubtful = true }
    fun clearDoubt() = pending.forEach { it.isDoubtful = false }

    fun dropDoubtful(): Int {
        val count = pending.count { it.isDoubtful }
        pending.removeAll { it.isDoubtful }
        return count
    }

    /** Drops the event at an index of the last batch; returns how many there are. */
    fun drop(index: Int): Int {
        val again = if (hasMissing) max(0, (sequence - missing + 1).toInt()) else 0
        if (index < again || index - again >= pending.size) return 0
        pending.removeAt(index - again)
        return 1
    }

    fun shrink(): Boolean {
        if (sent == 1) return false
        limit = (sent + 1) / 2
        return true
    }
}

package springbar

import kotlin.math.abs

/** The confirmed bar and the shown one: shown = confirmed, then the pending events, then the pending tracks. */
class Bars(var confirmed: Bar, private val queue: Queue, private val environment: Environment) {
    var shown = confirmed.copy()
        private set
    val tracks = mutableMapOf<String, Any?>()
    /** The service's values of tracks that this client does not know. */
    private var foreignValues: Json = emptyMap()
    /** The tracks that the log has changed since the shown bar was made. */
    private val logged = mutableSetOf<String>()
    val values: Json get() = foreignValues + shown.values

    fun setTracks(changes: Json, isSent: Boolean) {
        shown.setTracks(changes)
        foreignValues = foreignValues - changes.keys
        if (isSent) tracks.putAll(changes)
    }

    /** Applies a change of tracks of the service's log. */
    fun confirmLogged(changes: Json) {
        confirmed.setTracks(changes)
        logged += changes.keys
    }

    /** Applies an event of the service's log; null if data is missing here. */
    fun confirm(event: Json): Outcome? = try {
        confirmed.apply(event)
    } catch (refusal: Refusal) {
        null
    }

    /** S14 */
    fun compare(bar: Json, predicted: List<Json>) {
        adoptValues(bar)
        if (confirmed.agrees(bar)) return
        confirmed.adopt(bar)
        val commands = bar.list("commands")
        renew(commands.filterIndexed { index, command -> differ(listOf(command), predicted.drop(index).take(1)) })
    }

    fun adoptValues(bar: Json) {
        if (bar["values"] != null && tracks.isEmpty()) foreignValues = bar.part("values") - shown.values.keys
    }

    /** Makes the shown bar anew: the confirmed one, and everything that is pending. */
    fun renew(others: List<Json> = emptyList()) {
        val before = shown.state.number("height")
        val refused = mutableListOf<String>()
        val commands = others.toMutableList()
        val next = confirmed.copy()
        next.setTracks(tracks)
        queue.pending.removeAll { entry ->
            try {
                val outcome = next.apply(entry.event)
                if (differ(outcome.commands, entry.commands)) commands += outcome.commands
                entry.commands = outcome.commands
                false
            } catch (refusal: Refusal) {
                refused += refusal.code
                true
            }
        }
        shown = next
        foreignValues = foreignValues - logged - shown.values.keys
        logged.clear()
        val after = shown.state.number("height")
        if (abs(after - before) > 0.5) environment.report("correction", mapOf("from" to before, "to" to after))
        report(commands)
        for (code in refused) report(code, 1)
    }

    private fun differ(some: List<Json>, others: List<Json>) = some.size != others.size || some.zip(others).any { (a, b) ->
        a["scrollableId"] != b["scrollableId"] || a["animated"] != b["animated"] || abs(a.number("y") - b.number("y")) > 0.5
    }

    fun report(commands: List<Json>) {
        if (commands.isNotEmpty()) environment.report("commands", commands)
    }

    fun report(code: String, events: Int) = environment.report("problem", mapOf("code" to code, "events" to events.toDouble()))
}

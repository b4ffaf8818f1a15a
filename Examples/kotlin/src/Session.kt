package springbar

import kotlin.math.max
import kotlin.math.min
import kotlin.math.pow

// The session of docs/rules.md, part 2, as a machine: it has no threads and no clock. The numbers of the rules are beside
// them. All calls are on one thread, such as the main thread of an app.

class Session(private var body: Json, private val environment: Environment, private val queueLimit: Int = 10_000) {
    private val queue = Queue()
    private val bars = Bars(Bar.of(body), queue, environment)
    private val tracks get() = bars.tracks
    private var refusalTag: String? = null
    private var revision = 0.0
    private var heard = 0.0
    var id: String? = null
        private set
    private var key = name()
    /** The method of the last request. */
    private var method = ""
    private var log: Log? = null
    private var isFull = false
    private var isEnded = false
    private var isRunning = false
    private var isHalted = false
    private var failures = 0
    private var reactions = 0
    private var endPause: (() -> Unit)? = null
    private var creation: Creation? = null
    private var follower: Follower? = null
    var connection = "connecting"
        private set

    val lastSequence get() = queue.sequence
    val pending get() = queue.pending.size
    val shown get() = bars.shown
    val values: Json get() = bars.values

    private class Creation(var answer: Answer? = null, var isAnswered: Boolean = false, var then: ((Answer?) -> Unit)? = null)

    private fun name() = (1..4).joinToString("") { environment.random().toString().drop(2).take(8) }

    // What an app calls.

    fun start() = wake()

    /** S1, S16 */
    fun send(event: Json) {
        val marked = event + ("timestamp" to (Math.floor(environment.now()) + environment.random()) / 1000)
        val outcome = shown.apply(marked)
        if (queue.pending.size >= queueLimit) isFull = true
        if (isSent) queue.pending += Entry(marked, outcome.commands)
        bars.report(outcome.commands)
        wake()
    }

    fun setTracks(changes: Json) {
        bars.setTracks(changes, isSent)
        wake()
    }

    fun sync() {
        log?.isAskedAgain = true
        ask()
        wake()
    }

    /** S8 */
    fun follow() {
        follower = Follower()
        follower?.open()
    }

    /** S13 */
    fun retry() {
        if (isEnded) return
        isHalted = false
        endPause?.invoke()
        wake()
    }

    /** S15 */
    fun end() {
        isEnded = true
        endPause?.invoke()
        queue.pending.clear()
        tracks.clear()
        val delete = { answer: Answer? ->
            val id = id ?: answer?.body?.text("id")
            if (id != null) environment.send(Request("DELETE", "/v1/bars/$id")) {}
        }
        val creation = creation
        if (id != null || creation == null) return delete(null)
        creation.then = { answer -> if (answer?.body?.get("id") != null) delete(answer) else if (Problem.of(answer).isTransient) sendCreation(delete) }
        if (creation.isAnswered) creation.then?.invoke(creation.answer)
    }

    private val isSent get() = !isEnded && !isFull

    // The loop: one request at a time (S3).

    private val hasWork get() = !isHalted && !isEnded &&
        (id == null || log != null || heard > revision || !queue.isEmpty || tracks.isNotEmpty())

    private fun wake() {
        if (isRunning || !hasWork) return
        isRunning = true
        step()
    }

    private fun step() {
        isRunning = hasWork
        if (!isRunning) return
        if (isFull) replace()
        if (id == null) return create()
        if (queue.isEmpty && heard > revision) ask()
        val log = log
        if (log != null) return read(log)
        environment.frame {
            if (isEnded) isRunning = false
            else if (tracks.isNotEmpty()) putTracks()
            else post()
        }
    }

    private fun request(request: Request, onProblem: (Problem) -> Unit = { failed(it) }, onAnswer: (Json) -> Unit) {
        method = request.method
        environment.send(request) { answer -> answered(answer, onProblem, onAnswer) }
    }

    /** An answer to a session that is replaced is ignored (S16). */
    private fun answered(answer: Answer?, onProblem: (Problem) -> Unit, onAnswer: (Json) -> Unit) {
        if (isEnded) return
        if (answer == null || answer.status >= 400) onProblem(Problem.of(answer))
        else if (isFull) {
            id = id ?: answer.body?.text("id")
            failed(Problem(0, "queue-full"))
        }
        else if (answer.body?.get("revision") !is Double && answer.body?.get("events") !is List<*>) onProblem(Problem(0, "unreadable"))
        else onAnswer(answer.body)
    }

    private fun succeeded(isProgress: Boolean) {
        if (isProgress) reactions = 0
        failures = 0
        connection = "online"
        step()
    }

    private fun failed(problem: Problem) {
        if (problem.isTransient) {
            failures += 1
            return pause(failures - 1, problem)
        }
        failures = 0
        connection = "online"
        if (!react(problem)) {
            isHalted = true
            isRunning = false
            return bars.report(problem.code, 0)
        }
        reactions += 1
        // The first reaction needs no pause (S13).
        if (reactions > 1) pause(reactions - 2, problem) else step()
    }

    /** S6 */
    private fun wait(attempt: Int, retryAfter: Double?): Double {
        val part = environment.random()
        val pause = min(15.0, 0.25 * 2.0.pow(attempt)) * (0.5 + part / 2)
        return if (retryAfter == null) pause else max(pause, retryAfter + part * 0.25)
    }

    private fun pause(attempt: Int, problem: Problem) {
        connection = "waiting"
        val go = {
            endPause = null
            connection = "connecting"
            step()
        }
        val cancel = environment.pause(wait(attempt, problem.answer?.retryAfter), go)
        endPause = {
            cancel()
            go()
        }
    }

    // Requests.

    /** S2 */
    private fun create() = sendCreation { answer ->
        answered(answer, { failed(it) }) { bar ->
            id = bar.text("id")
            revision = bar.number("revision")
            bars.compare(bar, bars.confirmed.created)
            environment.report("session", id!!)
            follower?.open()
            succeeded(false)
        }
    }

    private fun sendCreation(answered: (Answer?) -> Unit) {
        val sent = Creation()
        creation = sent
        method = ""
        environment.send(Request("POST", "/v1/bars", body = body, key = key)) { answer ->
            sent.answer = answer
            sent.isAnswered = true
            val then = sent.then
            if (then != null) then(answer) else answered(answer)
        }
    }

    /** S4, S5 */
    private fun post() {
        val events = queue.next()
        val onProblem = { problem: Problem ->
            if (problem.isTransient) queue.doubt()
            failed(problem)
        }
        request(Request("POST", "/v1/bars/$id/events", body = mapOf("events" to events)), onProblem) { answer ->
            val before = queue.sequence
            val entries = queue.confirm(answer.number("lastSequence"))
            val predicted = entries.flatMap { bars.confirm(it.event)?.commands ?: emptyList() }
            if (answer.number("revision") > revision + entries.size) ask(before)
            revision = answer.number("revision")
            if (!queue.hasMissing) bars.compare(answer, predicted)
            if (entries.isNotEmpty()) environment.report("confirm", listOf(before + 1, queue.sequence))
            succeeded(true)
        }
    }

    /** S7 */
    private fun putTracks() {
        val changes: Json = tracks.entries.sortedBy { it.value != null }.take(256).associate { it.toPair() }
        val condition = refusalTag ?: "\"${revision.toLong()}\""
        request(Request("PUT", "/v1/bars/$id/tracks", body = changes, ifMatch = condition)) { answer ->
            revision = answer.number("revision")
            refusalTag = null
            bars.confirmed.setTracks(changes)
            for ((name, track) in changes) if (tracks[name] == track) tracks.remove(name)
            bars.adoptValues(answer)
            succeeded(true)
        }
    }

    // The log (S9 to S11).

    private fun ask(sequence: Double = queue.sequence, isTrimmed: Boolean = false, isWhole: Boolean = false) {
        val asked = log
        if (asked != null && asked.isBegun) return
        log = Log(min(asked?.after ?: sequence, sequence), isTrimmed || asked?.isTrimmed == true, isWhole || asked?.isWhole == true)
    }

    private fun read(log: Log) {
        heard = 0.0
        if (log.isWhole && !log.isBegun) {
            queue.restart()
            log.next = 0.0
            revision = 0.0
        }
        log.isBegun = true
        log.isAskedAgain = false
        val query = mapOf("after" to log.next.toLong().toString(), "limit" to "512")
        request(Request("GET", "/v1/bars/$id/events", query)) { page ->
            val events = page.list("events")
            val first = events.firstOrNull { it["sequence"] != null }?.number("sequence") ?: 1.0
            if (log.isWhole && log.next == 0.0 && first == 1.0) bars.confirmed = Bar.of(body)
            for (entry in events) if (!take(entry, log)) log.isComplete = false
            // After a page without a new number, the next one would be the same.
            val hasMore = page["hasMore"] == true && queue.sequence > log.next
            log.next = queue.sequence
            if (hasMore) read(log) else if (log.isComplete) finish(log, null) else readState(log)
        }
    }

    /** Applies an entry of any writer; returns false if entries before it are missing. */
    private fun take(entry: Json, log: Log): Boolean {
        if (entry["type"] == "tracks") {
            bars.confirmLogged(entry.part("tracks"))
            revision = max(revision, entry.number("revision"))
            return true
        }
        val sequence = entry.number("sequence")
        if (sequence <= queue.sequence) return true
        val isNext = sequence == queue.sequence + 1
        if (!isNext) log.hasGap = true
        val own = queue.claim(entry)
        own?.dropLast(1)?.forEach { bars.confirm(it.event) }
        val outcome = bars.confirm(entry)
        if (own != null) log.found += listOf(sequence - own.size + 1, sequence)
        else if (outcome != null && !log.isWhole) log.commands += outcome.commands
        queue.keep(entry)
        revision += 1
        return isNext && outcome != null
    }

    /** S11 */
    private fun readState(log: Log) {
        val onProblem = { problem: Problem ->
            if (problem.code != "sequence-trimmed") failed(problem)
            else request(Request("GET", "/v1/bars/$id")) { bar ->
                queue.restart(bar.number("lastSequence"))
                log.hasGap = true
                finish(log, bar)
            }
        }
        val query = mapOf("at" to log.next.toLong().toString())
        request(Request("GET", "/v1/bars/$id/states", query), onProblem) { bar -> finish(log, bar) }
    }

    private fun finish(log: Log, bar: Json?) {
        if (bar != null) {
            bars.confirmed.adopt(bar)
            revision = max(revision, bar.number("revision"))
        }
        val lost = if (log.isTrimmed || log.hasGap) queue.dropDoubtful() else 0
        this.log = if (log.isAskedAgain) Log(queue.sequence, false, false) else null
        bars.renew(log.commands)
        if (bar != null) bars.adoptValues(bar)
        for (numbers in log.found) environment.report("confirm", numbers)
        if (lost > 0) bars.report("sequence-trimmed", lost)
        succeeded(log.commands.isNotEmpty())
    }

    // Reactions.

    /** Reacts to a problem; returns false if there is no reaction. */
    private fun react(problem: Problem): Boolean {
        val body = problem.answer?.body ?: emptyMap()
        when (problem.code) {
            "queue-full" -> {}
            "bar-not-found" -> startAnew(bars.confirmed)
            "sequence-reused" -> {
                queue.clearDoubt()
                ask(isWhole = queue.hasMissing)
            }
            "sequence-gap" -> if (!queue.goBack(body.number("expectedSequence"))) ask(0.0, isWhole = true)
            "sequence-trimmed" -> ask(isTrimmed = true)
            "idempotency-key-reused" -> key = name()
            else -> {
                val isBatch = method == "POST" && id != null
                if (problem.status != 412) return (problem.status == 413 && isBatch && queue.shrink()) || dropRefused(problem)
                refusalTag = problem.answer?.etag
                ask()
            }
        }
        return true
    }

    /** S13 */
    private fun dropRefused(problem: Problem): Boolean {
        val pointer = problem.answer?.body?.list("errors")?.firstOrNull()?.text("pointer") ?: ""
        val index = Regex("^/events/(\\d+)").find(pointer)?.groupValues?.get(1)?.toInt()
        val count = if (index == null) 0 else queue.drop(index)
        val isOfTracks = method == "PUT" && problem.status in listOf(413, 422)
        if (isOfTracks) tracks.clear()
        if (count == 0 && !isOfTracks) return false
        bars.renew()
        bars.report(problem.code, count)
        return true
    }

    /** S12, S16 */
    private fun startAnew(bar: Bar) {
        body = bar.body + body.filterKeys { it == "ttlSeconds" }
        bars.confirmed = Bar.of(body)
        queue.restart()
        queue.clearDoubt()
        revision = 0.0
        refusalTag = null
        heard = 0.0
        id = null
        key = name()
        log = null
        bars.renew()
    }

    /** S16 */
    private fun replace() {
        val count = queue.pending.size
        queue.pending.clear()
        tracks.clear()
        if (id != null) environment.send(Request("DELETE", "/v1/bars/$id")) {}
        startAnew(shown)
        isFull = false
        bars.report("queue-full", count)
    }

    /** S8 */
    private inner class Follower(private var failures: Int = 0) {
        private var session: String? = null
        /** The time of the first state of the stream. */
        private var begun = 0.0

        fun open() {
            if (id == null || id == session || isEnded) return
            session = id
            listen(id!!)
        }

        private fun listen(own: String) {
            begun = Double.POSITIVE_INFINITY
            environment.send(Request("GET", "/v1/bars/$own/stream")) { answer -> listened(own, answer) }
        }

        private fun listened(own: String, answer: Answer?) {
            if (isEnded || own != session) return
            if (answer?.stream != null) {
                begun = min(begun, environment.now())
                return hear(answer.stream)
            }
            if (environment.now() - begun >= 5000) failures = 0
            if (!Problem.of(answer).isTransient) hear(Double.POSITIVE_INFINITY)
            else environment.pause(wait(failures++, answer?.retryAfter)) { listen(own) }
        }

        private fun hear(revision: Double) {
            heard = max(heard, revision)
            wake()
        }
    }
}

package springbar

import kotlin.math.roundToInt

/** Runs a case of session.json: the inputs are the app, the network and the clock. */
class Machine(body: Json, queueLimit: Int) : Environment {
    private val done = mutableListOf<Json>()
    private val waiting = mutableListOf<(Answer?) -> Unit>()
    private val streams = mutableListOf<(Answer?) -> Unit>()
    private val frames = mutableListOf<() -> Unit>()
    private val pauses = mutableListOf<Pair<Double, () -> Unit>>()
    private val keys = mutableListOf<String>()
    private val marks = mutableListOf<Any?>()
    private var numbers = 0.0
    private val session = Session(body, this, queueLimit)

    override fun now(): Double {
        numbers += 1
        return numbers
    }

    /** Different each time, for keys, and near 0.5 for pauses. */
    override fun random(): Double {
        numbers += 1
        return 0.5 + numbers * 1e-6
    }

    override fun frame(action: () -> Unit) {
        frames += action
    }

    override fun pause(seconds: Double, action: () -> Unit): () -> Unit {
        val pause = Pair(seconds, action)
        pauses += pause
        return { pauses.remove(pause) }
    }

    override fun send(request: Request, answered: (Answer?) -> Unit) {
        val all = mutableMapOf<String, Any?>("method" to request.method, "path" to request.path, "query" to request.query, "ifMatch" to request.ifMatch)
        if (request.key != null) {
            if (request.key !in keys) keys += request.key
            all["key"] = keys.indexOf(request.key) + 1.0
        }
        val events = request.body?.get("events")
        all["body"] = if (events == null) request.body?.let { full(it) } else mapOf("events" to request.body.list("events").map { numbered(it) })
        done += mapOf("request" to all.filterValues { it != null })
        waiting += answered
    }

    override fun report(name: String, detail: Any) {
        val told = if (name == "commands") (detail as List<*>).map { (it as Map<*, *>).filterKeys { key -> key == "y" || key == "animated" } } else detail
        done += mapOf(name to told)
    }

    private fun numbered(event: Json): Json {
        val mark = event["timestamp"]
        if (mark !in marks) marks += mark
        return event - "timestamp" + ("mark" to marks.indexOf(mark) + 1.0)
    }

    private fun marked(content: Json): Json {
        if (content["events"] == null) return content
        return content + ("events" to content.list("events").map { entry ->
            if (entry["mark"] == null) entry else entry - "mark" + ("timestamp" to marks[entry.number("mark").roundToInt() - 1])
        })
    }

    private fun answer(value: Json?): Answer? {
        if (value == null) return null
        if (value["stream"] != null) return Answer(200, null, stream = value.part("stream").number("revision"))
        val content = if (value["body"] == null) null else marked(value.part("body"))
        return Answer(value.number("status").roundToInt(), content, value.text("retryAfter")?.toDouble(), value.text("etag"))
    }

    /** Gives an input; returns `does` and `shown`, and the pauses. */
    @Suppress("UNCHECKED_CAST")
    fun give(input: Json): Pair<Json, List<Double>> {
        val (name, value) = input.entries.first()
        when (name) {
            "start" -> session.start()
            "send" -> (value as List<Json>).forEach { session.send(it) }
            "refused" -> try {
                session.send(value as Json)
                done += mapOf("sent" to value)
            } catch (refusal: Refusal) {
            }
            "setTracks" -> session.setTracks(value as Json)
            "answer" -> {
                val answered = waiting.removeAt(0)
                val answer = answer(value as Json?)
                if (answer?.stream != null) streams += answered
                answered(answer)
            }
            "streamEnds" -> streams.removeAt(0)(null)
            "pauseEnds" -> pauses.removeAt(0).second()
            "retry" -> session.retry()
            "sync" -> session.sync()
            "end" -> session.end()
            "follow" -> session.follow()
        }
        while (frames.isNotEmpty()) frames.removeAt(0)()
        val shown = mapOf(
            "height" to session.shown.state["height"], "isExpandedStateAvailable" to session.shown.isAvailable,
            "contentInsetTop" to session.shown.view.inset.top, "values" to session.values,
            "pending" to session.pending.toDouble(), "lastSequence" to session.lastSequence, "connection" to session.connection
        )
        val result = mapOf("does" to done.toList(), "shown" to shown)
        done.clear()
        return Pair(result, pauses.map { it.first })
    }
}

/** A content with the defaults of the contract. */
fun full(body: Json): Json {
    if (body["configuration"] == null) return body
    val view = if (body["scrollable"] == null) null
    else mapOf("id" to "main", "contentInset" to listOf("top", "left", "bottom", "right").map { it to 0.0 }.toMap()) + body.part("scrollable")
    return (mapOf("feedback" to "applied", "options" to emptyMap<String, Any>(), "tracks" to emptyMap<String, Any>(), "scrollable" to view) + (body - "scrollable"))
        .filterValues { it != null }
}

fun sessionCase(file: Json): (Json) -> List<String> = { case ->
    val machine = Machine(file.part("body"), (case["queueLimit"] as Double?)?.roundToInt() ?: 10_000)
    val differences = mutableListOf<String>()
    case.list("steps").forEachIndexed { index, step ->
        val (result, pauses) = machine.give(step.part("input"))
        val expected = mapOf("does" to step.list("does").map { one -> one.mapValues { (_, value) -> expected(value) } }, "shown" to step["shown"])
        if (expected != result) differences += "step $index\n  expected $expected\n  actual   $result"
        @Suppress("UNCHECKED_CAST") val ranges = (step["pauses"] ?: emptyList<Any>()) as List<List<Double>>
        val isWithin = ranges.size == pauses.size && ranges.zip(pauses).all { (range, pause) -> pause >= range[0] && pause <= range[1] }
        if (!isWithin) differences += "step $index: pauses $pauses, not $ranges"
    }
    differences
}

/** S8, of which session.json has no streams that end: pauses grow, also after the first state, and after another type. */
fun streamCase(file: Json): List<String> {
    val machine = Machine(file.part("body"), 10_000)
    fun give(name: String, value: Any? = null) = machine.give(mapOf(name to value)).second
    for (step in file.list("cases").first().list("steps")) machine.give(step.part("input"))
    give("follow")
    val pauses = (0 until 6).map { index ->
        if (index > 0) give("pauseEnds")
        if (index == 1) give("answer", mapOf("status" to 200.0, "body" to mapOf("login" to true)))
        else {
            give("answer", mapOf("stream" to mapOf("revision" to 1.0)))
            give("streamEnds")
        }
    }
    val isGrowing = pauses.all { it.size == 1 } && pauses.zip(pauses.drop(1)).all { (one, next) -> one[0] < next[0] }
    return if (isGrowing) emptyList() else listOf("pauses $pauses")
}

/** A request of the file, with the defaults of its content. */
@Suppress("UNCHECKED_CAST")
private fun expected(value: Any?): Any? =
    if (value is Map<*, *> && value["body"] != null) value + ("body" to full((value as Json).part("body"))) else value

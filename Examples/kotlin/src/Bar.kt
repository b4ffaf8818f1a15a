package springbar

import kotlin.math.abs
import kotlin.math.max
import kotlin.math.min

// The reducer of docs/rules.md, part 1. The numbers of the rules are beside them.

data class Point(val x: Double, val y: Double)
data class Size(val width: Double, val height: Double)
data class Insets(val top: Double, val left: Double, val bottom: Double, val right: Double)
data class View(val id: String, val offset: Point, val size: Size, val frame: Json, val inset: Insets) {
    val frameHeight: Double get() = frame.number("height")
}

/** A refusal; the bar has not changed. */
class Refusal(val status: Int, val code: String) : Exception(code)

class Outcome(val commands: List<Json>, val crossings: List<Json>, val preconfigured: Json?)

private fun point(json: Json) = Point(json.number("x"), json.number("y"))
private fun size(json: Json) = Size(json.number("width"), json.number("height"))
private fun insets(json: Json) = Insets(json.number("top"), json.number("left"), json.number("bottom"), json.number("right"))

private fun view(json: Json) = View(
    json.text("id") ?: "main", point(json.part("contentOffset")), size(json.part("contentSize")), json.part("frame"),
    if (json["contentInset"] == null) Insets(0.0, 0.0, 0.0, 0.0) else insets(json.part("contentInset"))
)

private fun isSame(one: Double, other: Double) = one == other

/** R25 */
private fun map(v: Double, a: Double, b: Double, p: Double, q: Double): Double =
    if (v <= a) p else if (v >= b) q else p + (v - a) / (b - a) * (q - p)

class Bar private constructor(private val settings: Json) {
    private val options: Json = if (settings["options"] == null) emptyMap() else settings.part("options")
    private val offsets = listOf("compact", "normal", "expanded")
        .map { -settings.part("configuration").number("${it}StateHeight") }
    private val compact = offsets[0]
    private val normal = offsets[1]
    private val expanded = offsets[2]
    private val isApplied = settings["feedback"] != "echoed"
    private val resistance = if (options["resistance"] == null) null else options.part("resistance")
    private val trims = resistance != null || fixes("overscroll")
    private val opensAtTop = options["reopen"] == "top"
    private val tolerance = (options["tolerance"] ?: 0.0) as Double

    var tracks: Json = if (settings["tracks"] == null) emptyMap() else settings.part("tracks")
        private set
    var offset = normal
        private set
    var isAvailable = false
        private set
    lateinit var view: View
        private set
    private var base = 0.0
    private var previousOffset: Point? = null
    private var previousSize: Size? = null
    private var commands = mutableListOf<Json>()
    private var preconfigured: Json? = null

    /** The commands of the attachment. */
    var created: List<Json> = emptyList()
        private set

    companion object {
        /** A bar from the body of its creation: attached to a view, or as it is in a snapshot (R28). */
        fun of(body: Json): Bar {
            val bar = Bar(body)
            if (body["snapshot"] != null) bar.restore(body.part("snapshot"))
            else {
                bar.attach(view(body.part("scrollable")))
                bar.created = bar.commands
            }
            return bar
        }
    }

    fun copy(): Bar {
        val copy = Bar(settings)
        copy.tracks = tracks
        copy.offset = offset
        copy.isAvailable = isAvailable
        copy.view = view
        copy.base = base
        copy.previousOffset = previousOffset
        copy.previousSize = previousSize
        return copy
    }

    // What a bar is.

    private val least get() = if (isAvailable) expanded else normal
    private val start get() = -view.inset.top
    private val end get() = view.size.height - view.frameHeight + view.inset.bottom
    private fun atRest(y: Double) = max(start, min(end, y))
    private fun fixes(name: String) = ((options["fixes"] ?: emptyList<String>()) as List<*>).contains(name)

    /** The client's own part of the top inset. */
    private val extra: Double get() {
        val bars = if (isAvailable && view.inset.top >= -expanded) expanded else normal
        return if (fixes("baseInset")) max(0.0, view.inset.top + bars) else 0.0
    }
    private fun room(view: View) = view.frameHeight + compact - view.size.height
    private fun followed(y: Double) = max(y - tolerance, min(y, max(previousOffset?.y ?: y, start)))

    private val progress get() =
        if (offset > normal) map(offset, normal, compact, 1.0, 0.0) else map(offset, expanded, normal, 2.0, 1.0)

    val state: Json get() = mapOf(
        "offset" to offset + 0.0, "height" to 0.0 - offset, "isExpandedStateAvailable" to isAvailable,
        "transitionProgress" to progress, "stateRange" to if (offset > normal) "compactNormal" else "normalExpanded"
    )

    val scrollable: Json get() = written(view)

    private fun written(view: View): Json = mapOf(
        "id" to view.id, "contentInset" to mapOf("top" to view.inset.top + 0.0, "bottom" to view.inset.bottom + 0.0),
        "scrollIndicatorInsets" to mapOf("top" to settings.part("configuration").number("normalStateHeight"))
    )

    /** R26 */
    val values: Json get() = tracks.mapValues { (name, _) -> value(tracks.part(name)) + 0.0 }

    private fun value(track: Json): Double {
        if (track["keyframes"] == null) {
            val isLower = offset > normal
            val range = track.part(if (isLower) "compactNormalRange" else "normalExpandedRange")
            val ends = (range["range"] ?: listOf(range["value"], range["value"])) as List<*>
            val from = if (isLower) 0.0 else 1.0
            return map(progress, from, from + 1, ends[0] as Double, ends[1] as Double)
        }
        val frames = track.list("keyframes")
        val index = frames.indexOfFirst { progress <= it.number("progress") }
        if (index < 0) return frames.last().number("value")
        val (before, after) = Pair(frames[max(0, index - 1)], frames[index])
        return map(progress, before.number("progress"), after.number("progress"), before.number("value"), after.number("value"))
    }

    fun setTracks(changes: Json) {
        tracks = (tracks + changes).filterValues { it != null }
    }

    // Events.

    /** Applies an event; throws `Refusal` and changes nothing if it is about another view (R1). */
    fun apply(event: Json): Outcome {
        if ((event["scrollableId"] ?: view.id) != view.id) throw Refusal(409, "scrollable-mismatch")
        val before = offset
        commands = mutableListOf()
        preconfigured = null
        when (event.text("type")) {
            "contentOffset" -> contentOffset(point(event.part("contentOffset")), event["source"] == "animation")
            "contentSize" -> contentSize(size(event.part("contentSize")))
            "frame" -> { // R13
                view = view.copy(frame = event.part("frame"))
                refill(if (fixes("baseInset")) base else view.inset.bottom)
            }
            "contentInset" -> { // R14
                view = view.copy(inset = insets(event.part("contentInset")))
                base = baseOf(view)
                if (fixes("baseInset")) refill(base)
            }
            "panGesture" -> pan(event)
            "expand" -> expand(event["on"] as Boolean)
            "set" -> attach(view(event.part("scrollable")))
            "preconfigure" -> preconfigure(view(event.part("scrollable")))
            else -> throw Refusal(422, "invalid-content")
        }
        return Outcome(commands, crossings(before, offset), preconfigured)
    }

    /** R2 */
    private fun attach(next: View) {
        release()
        view = next
        base = baseOf(view)
        val target = prepare(extra = 0.0)
        if (target != null) {
            command(view, target, false, null)
            if (isApplied) view = view.copy(offset = target)
        }
        previousOffset = if (fixes("primeOnAttach")) target ?: view.offset else null
        previousSize = null
    }

    private fun baseOf(view: View) = if (fixes("baseInset")) view.inset.bottom else 0.0

    private fun refill(base: Double) { // R13, R14
        view = view.copy(inset = view.inset.copy(bottom = max(base, room(view))))
    }

    private fun prepare(afterSize: Boolean = false, extra: Double = this.extra): Point? {
        val (prepared, target) = prepare(view, base, extra, afterSize)
        inset(prepared.inset)
        return target
    }

    /** R3, R4 */
    private fun prepare(view: View, base: Double, extra: Double, afterSize: Boolean): Pair<View, Point?> {
        val top = (if (offset <= normal && isAvailable) -expanded else -normal) + extra
        val bottom = max(base, room(view))
        val prepared = view.copy(inset = view.inset.copy(top = top, bottom = bottom))
        val y = view.offset.y
        val isAtTop = y <= if (afterSize && fixes("contentSizeRatchet")) offset - extra else 0.0
        if (!isAtTop && !(offset < normal && isAvailable)) return Pair(prepared, null)
        return Pair(prepared, Point(view.offset.x, (if (resistance != null) max(offset, least) else offset) - extra))
    }

    /** R5 */
    private fun observe(given: Point, isOwn: Boolean = false) {
        val previous = previousOffset
        val p = if (isOwn) given else Point(given.x, followed(given.y))
        if (previous != null) {
            if (isSame(previous.x, p.x) && isSame(previous.y, p.y)) return
            reduce(previous.y, p.y)
        }
        previousOffset = p
    }

    /** R6 to R9 */
    private fun reduce(from: Double, to: Double) {
        release()
        var delta = to - from
        if (trims) delta = atRest(to) - atRest(from)
        else {
            if (from < start || to < start) delta += min(0.0, from - start)
            if (from > end || to > end) delta += max(0.0, from - end)
        }
        val limit = if (opensAtTop) max(least, min(offset, to + extra)) else least
        delta = (if (delta > 0) min(compact, offset + delta) else max(limit, offset + delta)) - offset
        offset += delta
        if (resistance != null && offset <= least) {
            val d = resistance.number("dimension")
            val c = (resistance["constant"] ?: 0.55) as Double
            offset -= d * (1 - 1 / (max(0.0, start - to) * c / d + 1))
        }
    }

    private fun release() {
        if (resistance != null) offset = max(offset, least)
    }

    /** R10 */
    private fun moveContent(y: Double, animated: Boolean, spring: Json? = null) {
        val target = Point(view.offset.x, y)
        command(view, target, animated, spring)
        if (!isApplied) return
        observe(view.offset)
        view = view.copy(offset = target)
        observe(target, true)
    }

    /** R24 */
    private fun command(view: View, target: Point, animated: Boolean, spring: Json?) {
        val command = mapOf(
            "type" to "updateContentOffset", "scrollableId" to view.id, "x" to target.x + 0.0, "y" to target.y + 0.0,
            "animated" to animated, "duration" to if (animated) 0.25 else 0.0, "stopsDeceleration" to true
        )
        commands.add(if (spring == null) command else command + ("spring" to spring))
    }

    /** R11 */
    private fun contentOffset(p: Point, isAnimation: Boolean) {
        if (isAnimation && isApplied) return
        view = view.copy(offset = p)
        observe(p, isAnimation)
    }

    /** R12 */
    private fun contentSize(next: Size) {
        view = view.copy(size = next)
        val previous = previousSize
        if (previous != null && isSame(previous.width, next.width) && isSame(previous.height, next.height)) return
        previousSize = next
        prepare(true)?.let { moveContent(it.y, false) }
    }

    private fun inset(top: Double) {
        inset(view.inset.copy(top = top))
    }

    /** R7, its second part */
    private fun inset(next: Insets) {
        val (before, previous) = Pair(start, previousOffset)
        view = view.copy(inset = next)
        if (!trims || start >= before || previous == null || previous.y >= before) return
        release()
        previousOffset = previous.copy(y = before)
    }

    /** R15 to R17 */
    private fun pan(event: Json) {
        val y = view.offset.y
        val extra = this.extra
        val top = normal - extra
        val velocity = if (event["velocity"] == null) 0.0 else event.part("velocity").number("y")
        when (event.text("state")) {
            "began" -> {
                val mayExpand = (top - 5 <= y && y <= top + 5) || (y < top && isAvailable)
                inset(-(if (mayExpand) expanded else normal) + extra)
                isAvailable = mayExpand
            }
            "changed" -> if (isAvailable && followed(y) > top) {
                isAvailable = false
                view = view.copy(inset = view.inset.copy(top = -top))
            }
            "ended" -> snap(velocity)
            "cancelled", "failed" -> if (options["snapOnCancel"] == true) snap(velocity)
        }
    }

    /** R18 to R21 */
    private fun snap(v: Double) {
        val snap = options.text("snap") ?: "nearest"
        if (snap == "none") return
        val isProjected = snap == "projected"
        val rate = options["decelerationRate"]
        val r = if (rate is Double) rate else if (rate == "fast") 0.99 else 0.998
        val goal = if (isProjected) offset + v / 1000 * r / (1 - r) else offset
        val y = view.offset.y
        val isAway = opensAtTop && followed(y) + extra > offset + 1e-6
        val state = (if (isProjected) reachable() else offsets)
            .filter { !isAway || it > min(offset, compact) - 1e-6 }.sortedBy { abs(it - goal) }.firstOrNull() ?: return
        val distance = state - offset
        if (distance == 0.0) return
        var target = (if (isProjected) atRest(followed(y)) else followed(y)) + distance
        if (resistance != null && offset < least) target = atRest(y) + (state - least)
        if (options["clampTargets"] == true) {
            target = atRest(target)
            if (target == y) return
        }
        val spring = when {
            !isProjected -> null
            v == 0.0 -> mapOf("dampingRatio" to 1.0, "response" to 0.4, "relativeVelocity" to 0.0)
            else -> mapOf("dampingRatio" to 0.8, "response" to 0.3, "relativeVelocity" to relative(v, target - y))
        }
        moveContent(target, true, spring)
    }

    private fun relative(v: Double, distance: Double) =
        if (distance == 0.0) 0.0 else min(max(v / distance, -Double.MAX_VALUE), Double.MAX_VALUE)

    /** R20 */
    private fun reachable(): List<Double> {
        val levels = if (isAvailable || offset < normal) offsets else listOf(compact, normal)
        if (options["snapSequential"] != true) return levels
        return levels.filter { end -> levels.none { min(end, offset) < it && it < max(end, offset) } }
    }

    /** R22 */
    private fun expand(on: Boolean) {
        val y = (if (on) expanded else normal) - extra
        if (on && trims) inset(-y)
        if (on) isAvailable = true
        moveContent(y, true)
        view = view.copy(inset = view.inset.copy(top = -y))
        if (on || !fixes("clearExpandedOnCollapse")) return
        isAvailable = false
        if (isApplied) offset = max(offset, normal)
    }

    /** R23 */
    private fun preconfigure(other: View) {
        if (other.id == view.id) {
            prepare()?.let { moveContent(it.y, false) }
            preconfigured = written(view)
            return
        }
        val (prepared, target) = prepare(other, baseOf(other), 0.0, false)
        if (target != null) command(prepared, target, false, null)
        preconfigured = written(prepared)
    }

    /** R27 */
    private fun crossings(before: Double, after: Double): List<Json> {
        if (before == after) return emptyList()
        val isGrowing = after < before
        val names = listOf("compact", "normal", "expanded")
        return (if (isGrowing) listOf(Pair(0, 1), Pair(1, 2)) else listOf(Pair(2, 1), Pair(1, 0))).mapNotNull { (from, to) ->
            val missing = { one: Double -> if (isGrowing) one - offsets[to] else offsets[to] - one }
            val isReached = offsets[from] != offsets[to] && missing(before) > 1e-6 && missing(after) <= 1e-6
            val direction = if (isGrowing) "expanding" else "collapsing"
            if (isReached) mapOf("from" to names[from], "to" to names[to], "direction" to direction) else null
        }
    }

    // Snapshots and answers.

    /** R28 */
    val snapshot: Json get() {
        fun limited(v: Double) = max(-1e12, min(1e12, v)) + 0.0
        fun json(p: Point) = mapOf("x" to limited(p.x), "y" to limited(p.y))
        fun json(s: Size) = mapOf("width" to s.width, "height" to s.height)
        val inset = view.inset
        val all = mapOf(
            "offset" to limited(offset), "isExpandedStateAvailable" to isAvailable, "baseInsetBottom" to limited(base),
            "scrollable" to mapOf(
                "id" to view.id, "contentOffset" to json(view.offset), "contentSize" to json(view.size), "frame" to view.frame,
                "contentInset" to mapOf("top" to limited(inset.top), "left" to inset.left, "bottom" to limited(inset.bottom), "right" to inset.right)
            ),
            "previousContentOffset" to previousOffset?.let { json(it) }, "previousContentSize" to previousSize?.let { json(it) }
        )
        return all.filterValues { it != null }
    }

    private fun restore(snapshot: Json) {
        offset = snapshot.number("offset")
        isAvailable = snapshot["isExpandedStateAvailable"] as Boolean
        view = view(snapshot.part("scrollable"))
        base = snapshot.number("baseInsetBottom")
        previousOffset = if (snapshot["previousContentOffset"] == null) null else point(snapshot.part("previousContentOffset"))
        previousSize = if (snapshot["previousContentSize"] == null) null else size(snapshot.part("previousContentSize"))
    }

    /** The body of a session in which this bar goes on (S12). */
    val body: Json get() = (settings - "scrollable") + mapOf("snapshot" to snapshot, "tracks" to tracks)

    private fun told(answer: Json) = listOf(
        answer.part("state").number("offset"), answer.part("state")["isExpandedStateAvailable"], answer.part("scrollable")["id"],
        answer.part("scrollable").part("contentInset").number("top"), answer.part("scrollable").part("contentInset").number("bottom")
    )

    /** Whether an answer tells the same bar (S14). */
    fun agrees(answer: Json) = told(answer) == told(mapOf("state" to state, "scrollable" to scrollable))

    /** Adopts the values of an answer (S14), or its snapshot. */
    fun adopt(answer: Json) {
        if (answer["snapshot"] != null) restore(answer.part("snapshot"))
        val (state, told) = Pair(answer.part("state"), answer.part("scrollable"))
        offset = state.number("offset")
        isAvailable = state["isExpandedStateAvailable"] as Boolean
        val inset = told.part("contentInset")
        view = view.copy(id = told["id"] as String, inset = view.inset.copy(top = inset.number("top"), bottom = inset.number("bottom")))
    }
}

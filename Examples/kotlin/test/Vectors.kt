package springbar

import java.io.File
import kotlin.math.abs
import kotlin.system.exitProcess

// Compares the port with Tests/Vectors. Prints the cases that differ, and their number.

var failures = 0

fun report(name: String, differences: List<String>) {
    if (differences.isEmpty()) return
    failures += 1
    println("FAILED $name: ${differences.first()}")
}

@Suppress("UNCHECKED_CAST")
fun read(file: File) = JsonReader(file.readText()).value() as Json

/** A result as the service writes it. */
fun written(bar: Bar, outcome: Outcome): Json {
    val all = mutableMapOf<String, Any?>("state" to bar.state, "scrollable" to bar.scrollable, "commands" to outcome.commands)
    if (outcome.crossings.isNotEmpty()) all["crossings"] = outcome.crossings
    if (outcome.preconfigured != null) all["preconfigured"] = outcome.preconfigured
    if (bar.values.isNotEmpty()) all["values"] = bar.values
    return all
}

/** options.json: equal to the last bit. */
fun optionCase(case: Json): List<String> {
    val bar = Bar.of(case.part("body"))
    val differences = mutableListOf<String>()
    fun same(place: String, expected: Any?, actual: Any?) {
        if (expected != actual) differences += "$place\n  expected $expected\n  actual   $actual"
    }
    same("created", case["created"], written(bar, Outcome(bar.created, emptyList(), null)))
    case.list("steps").forEachIndexed { index, step ->
        try {
            same("step $index", step["expect"], written(bar, bar.apply(step.part("event"))))
        } catch (refusal: Refusal) {
            same("step $index", step["problem"], mapOf("status" to refusal.status.toDouble(), "code" to refusal.code))
        }
    }
    same("snapshot", case["snapshot"], bar.snapshot)
    return differences
}

/** bar.json: its own format, with a tolerance. */
fun traceCase(case: Json): List<String> {
    val body = case + ("feedback" to if (case["closedLoop"] == true) "applied" else "echoed")
    val bar = Bar.of(body.filterKeys { it in listOf("configuration", "scrollable", "tracks", "feedback") })
    val differences = mutableListOf<String>()
    fun same(place: String, expected: Any?, actual: Any?) {
        val isSame = if (expected is Double && actual is Double) abs(expected - actual) <= 1e-9 else expected == actual
        if (!isSame) differences += "$place: expected $expected, actual $actual"
    }
    fun insets(place: String, expected: Json, actual: Json) {
        same("$place top", expected["contentInsetTop"], actual.part("contentInset")["top"])
        same("$place bottom", expected["contentInsetBottom"], actual.part("contentInset")["bottom"])
    }
    fun check(place: String, expected: Json, outcome: Outcome) {
        for ((name, value) in expected.part("state")) same("$place $name", value, bar.state[name])
        insets(place, expected.part("scrollable"), bar.scrollable)
        val commands = expected.list("commands")
        same("$place commands", commands.size, outcome.commands.size)
        for ((index, command) in commands.withIndex()) {
            for ((name, value) in command - "scrollable") same("$place command $name", value, outcome.commands.getOrNull(index)?.get(name))
        }
        if (expected["preconfigured"] != null) insets("$place preconfigured", expected.part("preconfigured"), outcome.preconfigured!!)
        if (expected["values"] != null) for ((name, value) in expected.part("values")) same("$place $name", value, bar.values[name])
    }
    check("created", case.part("created"), Outcome(bar.created, emptyList(), null))
    case.list("steps").forEachIndexed { index, step -> check("step $index", step.part("expect"), bar.apply(step.part("event"))) }
    return differences
}

fun main(arguments: Array<String>) {
    val folder = File(arguments[0])
    var count = 0
    val sessions = read(File(folder, "session.json"))
    val session = sessionCase(sessions)
    report("streams that end at once", streamCase(sessions))
    for ((name, run) in listOf("bar.json" to ::traceCase, "options.json" to ::optionCase, "session.json" to session)) {
        for (case in read(File(folder, name)).list("cases")) {
            count += 1
            report("$name: ${case["name"]}", run(case))
        }
    }
    println("$count cases, $failures failed")
    if (failures > 0) exitProcess(1)
}

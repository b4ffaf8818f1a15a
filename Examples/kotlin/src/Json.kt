package springbar

/** JSON as Kotlin's own values: Map, List, String, Double, Boolean and null. An app takes its library instead. */
typealias Json = Map<String, Any?>

@Suppress("UNCHECKED_CAST")
fun Json.part(name: String): Json = this[name] as Json

@Suppress("UNCHECKED_CAST")
fun Json.list(name: String): List<Json> = (this[name] ?: emptyList<Json>()) as List<Json>

fun Json.number(name: String): Double = this[name] as Double
fun Json.text(name: String): String? = this[name] as String?

/** Reads one JSON text. */
class JsonReader(private val text: String) {
    private var place = 0

    fun value(): Any? {
        space()
        return when (text[place]) {
            '{' -> members('}') { Pair(string(), after(':')) }.associate { it }
            '[' -> members(']') { value() }
            '"' -> string()
            't' -> word("true", true)
            'f' -> word("false", false)
            'n' -> word("null", null)
            else -> number()
        }
    }

    private fun <T> members(end: Char, member: () -> T): List<T> {
        val all = mutableListOf<T>()
        place += 1
        space()
        while (text[place] != end) {
            if (text[place] == ',') place += 1
            space()
            all += member()
            space()
        }
        place += 1
        return all
    }

    private fun after(mark: Char): Any? {
        space()
        check(text[place] == mark)
        place += 1
        return value()
    }

    private fun string(): String {
        val all = StringBuilder()
        place += 1
        while (text[place] != '"') {
            if (text[place] != '\\') all.append(text[place++])
            else {
                val escaped = text[place + 1]
                place += 2
                if (escaped == 'u') {
                    all.append(text.substring(place, place + 4).toInt(16).toChar())
                    place += 4
                } else all.append("nrtbf".indexOf(escaped).let { if (it < 0) escaped else "\n\r\t\b\u000c"[it] })
            }
        }
        place += 1
        return all.toString()
    }

    private fun number(): Double {
        val start = place
        while (place < text.length && text[place] in "+-.eE0123456789") place += 1
        return text.substring(start, place).toDouble()
    }

    private fun word(word: String, value: Any?): Any? {
        place += word.length
        return value
    }

    private fun space() {
        while (place < text.length && text[place].isWhitespace()) place += 1
    }
}

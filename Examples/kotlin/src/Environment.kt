package springbar

class Request(val method: String, val path: String, val query: Json? = null, val body: Json? = null, val key: String? = null, val ifMatch: String? = null)

/** An answer with its content, and its fields `Retry-After` in seconds and `ETag`. The revision of a stream's state is in `stream`. */
class Answer(val status: Int, val body: Json?, val retryAfter: Double? = null, val etag: String? = null, val stream: Double? = null)

/** What an app gives to a session. */
interface Environment {
    /** Sends a request, and calls `answered` with its answer, or with null if there is none; for a stream, with each state, and null at its end. */
    fun send(request: Request, answered: (Answer?) -> Unit)

    /** Calls `action` after a time, which the returned function ends early. */
    fun pause(seconds: Double, action: () -> Unit): () -> Unit

    /** Calls `action` in the next frame. */
    fun frame(action: () -> Unit)

    /** Milliseconds of a steady clock. */
    fun now(): Double
    fun random(): Double

    /** Tells the app: `commands`, `correction`, `confirm`, `session`, `problem`. */
    fun report(name: String, detail: Any)
}

/** A problem, of the service or of the session itself. */
class Problem(val status: Int, val code: String, val answer: Answer? = null) {
    private val isFinal = code == "ended" || code == "queue-full"
    /** A server error that is not the service's is a proxy's. */
    private val isOfProxy = status >= 500 && code == "unreadable"
    val isTransient get() = answer?.retryAfter != null || isOfProxy || (status in TRANSIENT && !isFinal)

    companion object {
        private val TRANSIENT = setOf(0, 408, 425, 429, 500, 502, 503, 504)

        fun of(answer: Answer?): Problem {
            if (answer == null) return Problem(0, "unreachable")
            val type = answer.body?.get("type") as? String ?: "unreadable"
            return Problem(if (answer.status < 400) 0 else answer.status, type.substringAfterLast('/'), answer)
        }
    }
}

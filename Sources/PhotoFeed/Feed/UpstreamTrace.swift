/// The trace that a call of the library is part of.
///
/// A task-local value, because a fetch is started deep below the request and runs in a task of its own, which inherits
/// the value: a fetch that several requests share carries the trace of the one that started it.
package enum UpstreamTrace {
    /// The value of `traceparent` (W3C Trace Context), with a span id of ours; nil outside of a trace.
    @TaskLocal package static var parent: String?
}

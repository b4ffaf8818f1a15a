/// The trace that a call of the library belongs to.
///
/// A task-local value: the unstructured task of a fetch inherits it, so that a shared fetch has the trace of the request
/// that started it.
package enum UpstreamTrace {
    /// The value of `traceparent` (W3C Trace Context), with the span id of the request; nil without a trace.
    @TaskLocal package static var parent: String?
}

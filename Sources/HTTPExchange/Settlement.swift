import Synchronization

/// Whether a promised answer has been given by somebody else: at the deadline or at the end of a drain the server
/// refuses the request itself, and what the work makes of its cancellation is neither sent nor an answer.
///
/// The server runs the work with one of these and settles it before it cancels the work. The refusal goes through the
/// middleware as any answer does; so the work's own must not be logged and counted as a second one.
package final class Settlement: Sendable {
    /// That of the work that runs in this task; nil in process, where nobody answers in its place.
    @TaskLocal package static var current: Settlement?

    private let settled = Atomic(false)

    package init() {}

    package var isSettled: Bool { settled.load(ordering: .acquiring) }

    /// Takes note that the request has its answer.
    package func settle() {
        settled.store(true, ordering: .releasing)
    }
}

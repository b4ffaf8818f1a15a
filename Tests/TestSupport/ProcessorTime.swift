import Glibc

/// Runs `body` and returns the processor time of its thread.
///
/// Other processes and threads do not add to it, so a bound holds on a busy machine too.
package func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try body()
    return now() - start
}

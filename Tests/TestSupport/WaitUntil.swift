/// The error for a condition that did not become true in time.
package struct NotInTime: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until the condition is true, and lets other tasks run meanwhile.
///
/// `eventually` blocks its thread. This function is for conditions that another task of Swift's pool fulfils.
///
/// - Throws: `NotInTime`, which names the line of the wait.
package func waitUntil(
    within limit: Duration = .seconds(20),
    file: String = #fileID,
    line: Int = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var round = 0
    while try !condition() {
        guard ContinuousClock.now < end else {
            throw NotInTime(description: "the condition at \(file):\(line) did not come true within \(limit)")
        }
        // The first tries only yield, for conditions that are fulfilled soon. Later ones sleep, so that no core is kept
        // busy.
        if round < 100 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
        round += 1
    }
}

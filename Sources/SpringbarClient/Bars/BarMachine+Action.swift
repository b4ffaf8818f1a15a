// What the machine asks for, and what it waits for.

extension BarMachine {
    enum Action: Sendable {
        /// Send a request, and report its result with this number.
        case request(Int, ServiceRequest, BarRequest)
        /// Wait for the next frame, and report it with this number.
        case waitForFrame(Int)
        /// Wait so many seconds because of a problem, and report the end with this number.
        case pause(Int, seconds: Double, Problem)
        /// Delete a session that another one replaces. If this fails, the service ends it later by itself.
        case delete(id: String)
        case report(BarUpdate)
    }

    /// The result that the machine waits for; its number distinguishes it from late results.
    enum Phase: Sendable, Equatable {
        case idle
        case frame(Int)
        case pause(Int)
        case request(Int, BarRequest)
    }
}

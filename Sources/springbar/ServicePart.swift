/// A part of the running service beside the answers to requests.
struct ServicePart: Sendable {
    /// Works until the drain, which cancels it.
    var work: @Sendable () async -> Void = {}
    /// Ends what the part has opened, after its work and after the parts that follow it.
    var end: @Sendable () async -> Void = {}
}

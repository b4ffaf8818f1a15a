import Logging
import PhotoFeed
import Synchronization

/// A picture that arrives, as a client takes it in.
final class Collector: PictureReceiver {
    struct State {
        var length: Int??
        var bytes: [UInt8] = []
    }

    let state = Mutex(State())
    let refusal: UpstreamError?

    init(refusing refusal: UpstreamError? = nil) {
        self.refusal = refusal
    }

    func begin(length: Int?) throws(UpstreamError) { state.withLock { $0.length = .some(length) } }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        if let refusal { throw refusal }
        state.withLock { $0.bytes += bytes }
    }

    var bytes: [UInt8] { state.withLock(\.bytes) }
}

/// Keeps every line.
struct Recorder: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    final class Lines: Sendable {
        let text = Mutex("")
    }

    func log(event: LogEvent) {
        lines.text.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
    }
}

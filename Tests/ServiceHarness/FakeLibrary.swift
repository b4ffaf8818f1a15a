package import PhotoLibrary
import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

/// A photo library in memory, with numbered photos, a record of calls, and failures that a test sets.
package final class FakeLibrary: Library {
    package struct State {
        package var numbers: [Int]
        package var calls: [String] = []
        /// The trace of each call, pictures included.
        package var traces: [UpstreamTrace?] = []
        package var hasBlurHashes = true
        package var pictureCalls: [String] = []
        package var failure: UpstreamError?
        package var pictureFailure: UpstreamError?
        package var picture: [UInt8]
        package var allowsPictures = true
        package var declaredLength: Int?
        package var hasLength = true
        /// The number of bytes of a picture after which the library waits for `open`.
        package var pause: Int?
        package var remainingCalls: Int?
        /// The document at every target, instead of its own.
        package var document: String?
        /// The white space at the end of a document.
        package var padding = 0
        /// Photos that have their place in the list, but are not in it.
        package var missing: Set<Int> = []
    }

    private let state: Lock<State>
    private let gate = Gate(isOpen: true)

    package init(photos: Int = 90) {
        let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)
        state = Lock(State(numbers: Array(1...photos), picture: png))
    }

    package var current: State { state.withLock { $0 } }
    package var calls: [String] { state.withLock(\.calls) }
    package var traces: [UpstreamTrace?] { state.withLock(\.traces) }
    package var pictureCalls: [String] { state.withLock(\.pictureCalls) }

    package func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// The number of calls that ended because their task was cancelled.
    package var cancellations: Int { gate.cancellations }

    /// Makes calls wait until `open`.
    package func close() { gate.close() }

    package func open() { gate.open() }

    /// Waits for a waiting call and opens, because a response may begin before the library reaches its pause.
    package func openWhenWaiting() async {
        #expect(await blocking { eventually { gate.count > 0 } })
        open()
    }

    private func pass() async throws(UpstreamError) {
        do { try await gate.pass() } catch { throw .cancelled }
    }

    /// Records a call, waits while the library is closed, and returns the state of then.
    private func begin(_ record: (inout State) -> Void) async throws(UpstreamError) -> State {
        set { state in
            record(&state)
            state.traces.append(UpstreamTrace.current)
        }
        try await pass()
        return state.withLock { $0 }
    }

    /// Answers like the API, without the fields of a list.
    package func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer {
        let state = try await begin { $0.calls.append(target) }
        if let failure = state.failure {
            throw state.remainingCalls.map { .counted(failure, remainingCalls: $0) } ?? failure
        }
        let (text, total) = try state.document(target)
        let content = Array((text + String(repeating: " ", count: state.padding)).utf8)
        return LibraryAnswer(content, total: total, remainingCalls: state.remainingCalls)
    }

    package func allowsPicture(at url: String) -> Bool { state.withLock(\.allowsPictures) }

    package func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        let now = try await begin { $0.pictureCalls.append(url) }
        if let failure = now.pictureFailure { throw failure }
        try receiver.begin(length: now.hasLength ? now.declaredLength ?? now.picture.count : nil)
        for start in stride(from: 0, to: now.picture.count, by: 50) {
            let part = SharedBytes(now.picture[start..<min(start + 50, now.picture.count)])
            try receiver.receive(part.buffer)
            guard let pause = now.pause, start + 50 == pause else { continue }
            close()
            try await pass()
        }
    }
}

extension FakeLibrary.State {
    /// The document at a target, and the total of its list.
    fileprivate func document(_ target: String) throws(UpstreamError) -> (text: String, total: Int?) {
        if let document { return (document, nil) }
        let path = target.prefix { $0 != "?" }
        if target.contains("per_page=30") {
            let page = target.split(separator: "page=").compactMap { Int($0.prefix { $0.isNumber }) }.first ?? 1
            let entries = numbers.dropFirst((page - 1) * 30).prefix(30).filter { !missing.contains($0) }.map(entry)
            let list = "[\(entries.joined(separator: ", "))]"
            guard path.hasPrefix("/search/") else { return (list, numbers.count) }
            return ("{\"total\":\(numbers.count),\"total_pages\":9,\"results\":\(list)}", nil)
        }
        guard path.hasPrefix("/photos/"), path != "/photos/random",
            ![Substring("download"), "statistics"].contains(path.split(separator: "/").last)
        else {
            return ("{\"id\":\"x\"}", nil)
        }
        let name = path.dropFirst("/photos/".count)
        guard let number = numbers.first(where: { name == "p\($0)" || name == "slug-p\($0)" }) else { throw .notFound }
        let details = """
            ,"exif":{"make":"Canon"},"location":{"country":"Costa Rica"},"tags":[{"title":"frog"}],"views":7,\
            "downloads":3}
            """
        return (entry(number).dropLast() + details, nil)
    }

    private func entry(_ number: Int) -> String {
        let (id, raw) = ("p\(number)", "https://images.example/p\(number)?ixid=M3w\(number)&ixlib=rb&client_id=x")
        let urls = ["raw", "full", "regular", "small", "thumb"].map { "\"\($0)\":\"\(raw)\"" }
        return """
            {"id":"\(id)","slug":"slug-\(id)","created_at":"2024-07-02T16:19:28Z","width":4000,"height":3000, \
            "color":"#d9c0a6","blur_hash":\(hasBlurHashes ? "\"LMJQ=mM|^*aK0h?G^*s:W9E1I[Si\"" : "null"),\
            "note":"a \\"quoted\\" text, with ] and }","alt_description":"number \(number)","likes":\(number),\
            "urls":{\(urls.joined(separator: ","))},"sponsorship":\(number.isMultiple(of: 10) ? "{}" : "null"),\
            "links":{"download_location":"https://api.example/photos/\(id)/download?ixid=M3w\(number)"},\
            "user":{"username":"ada","name":"Ada Lovelace"}}
            """
    }
}

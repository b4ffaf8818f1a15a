import Photos
import PictureCoding
import Primitives
import Synchronization
import TestSupport
import Testing

/// A photo library in memory, with numbered photos, a record of calls, and failures that a test sets.
final class FakeLibrary: Upstream {
    struct State {
        var numbers: [Int]
        var calls: [String] = []
        /// The trace of each call, pictures included.
        var traces: [UpstreamTrace?] = []
        var hasBlurHashes = true
        var pictureCalls: [String] = []
        var failure: UpstreamError?
        var pictureFailure: UpstreamError?
        var picture: [UInt8]
        var declaredLength: Int?
        var hasLength = true
        /// The number of bytes of a picture after which the library waits for `open`.
        var pause: Int?
        /// The error that ends a picture after its pause.
        var breaksOff: UpstreamError?
        var remainingCalls: Int?
        /// The white space at the end of a document.
        var rawPadding = 0
        /// Photos that are listed twice.
        var duplicates: Set<Int> = []
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var cancellations = 0
    }

    let state: Lock<State>

    init(photos: Int = 90) {
        let png = PNG.encode(Array(repeating: RGB(1, 2, 3), count: 64), width: 8, height: 8)
        state = Lock(State(numbers: Array(1...photos), picture: png))
    }

    var calls: [String] { state.withLock(\.calls) }
    var traces: [UpstreamTrace?] { state.withLock(\.traces) }
    var pictureCalls: [String] { state.withLock(\.pictureCalls) }
    var remainingCalls: Int? { state.withLock(\.remainingCalls) }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Makes calls wait until `open`.
    func close() { set { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for a waiting call and opens, because a response may begin before the library reaches its pause.
    func openWhenWaiting() async {
        #expect(await blocking { eventually { state.withLock { !$0.waiting.isEmpty } } })
        open()
    }

    private func pass() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    let waits = state.isClosed && !Task.isCancelled
                    if waits { state.waiting.append(continuation) }
                    return waits
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            set { $0.cancellations += 1 }
            open()
        }
    }

    private func enter(_ call: String) async throws(UpstreamError) {
        set { state in
            state.calls.append(call)
            state.traces.append(UpstreamTrace.current)
        }
        await pass()
        if Task.isCancelled { throw .cancelled }
        if let failure = state.withLock(\.failure) { throw failure }
    }

    func page(_ number: Int, of feed: Feed) async throws(UpstreamError) -> UpstreamPage {
        try await enter("\(feed.identity) \(number)")
        let (numbers, duplicates, hasBlur) = state.withLock { ($0.numbers, $0.duplicates, $0.hasBlurHashes) }
        let photos = numbers.dropFirst((number - 1) * 30).prefix(30).flatMap { number in
            var photo = Photo.numbered(number)
            if !hasBlur { photo.blurHash = nil }
            return Array(repeating: photo, count: duplicates.contains(number) ? 2 : 1)
        }
        return (photos: photos, total: numbers.count, hasNext: number * 30 < numbers.count)
    }

    func photo(_ idOrSlug: String) async throws(UpstreamError) -> PhotoDetail {
        try await enter("photo \(idOrSlug)")
        let numbers = state.withLock(\.numbers)
        guard let number = numbers.first(where: { idOrSlug == "p\($0)" || idOrSlug == "slug-p\($0)" }) else {
            throw .notFound
        }
        var detail = PhotoDetail(.numbered(number))
        detail.exif.make = "Canon"
        detail.location.country = "Costa Rica"
        detail.tags = ["frog"]
        detail.views = 7
        detail.downloads = 3
        return detail
    }

    func trackDownload(at location: String) async throws(UpstreamError) {
        try await enter("download \(location)")
    }

    func raw(_ target: String) async throws(UpstreamError) -> RawAnswer {
        try await enter("raw \(target)")
        let numbers = state.withLock(\.numbers)
        func entry(_ number: Int) -> String {
            """
            {"id":"p\(number)", "description":"a \\"quoted\\" text, with ] and }","links":{"download_location":\
            "https://api.unsplash.com/photos/p\(number)/download?ixid=M3w\(number)"}}
            """
        }
        let padding = String(repeating: " ", count: state.withLock(\.rawPadding))
        guard target.contains("per_page=30") else {
            return (Array((entry(1) + padding).utf8), nil)
        }
        let page = target.split(separator: "page=").compactMap { Int($0.prefix { $0.isNumber }) }.first ?? 1
        let part = numbers.dropFirst((page - 1) * 30).prefix(30).map(entry).joined(separator: ", ")
        let isSearch = target.hasPrefix("/search")
        let text = isSearch ? "{\"total\":\(numbers.count),\"total_pages\":9,\"results\":[\(part)]}" : "[\(part)]"
        return (Array((text + padding).utf8), numbers.count)
    }

    func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        set { state in
            state.pictureCalls.append(url)
            state.traces.append(UpstreamTrace.current)
        }
        await pass()
        if Task.isCancelled { throw .cancelled }
        let now = state.withLock { $0 }
        if let failure = now.pictureFailure { throw failure }
        try receiver.begin(length: now.hasLength ? now.declaredLength ?? now.picture.count : nil)
        for start in stride(from: 0, to: now.picture.count, by: 50) {
            let part = SharedBytes(now.picture[start..<min(start + 50, now.picture.count)])
            try receiver.receive(part.buffer)
            guard let pause = now.pause, start + 50 == pause else { continue }
            close()
            await pass()
            if Task.isCancelled { throw .cancelled }
            if let breaksOff = now.breaksOff { throw breaksOff }
        }
    }
}

extension Photo {
    static func numbered(_ number: Int) -> Photo {
        let raw = "https://images.example/p\(number)?ixid=M3w\(number)&ixlib=rb"
        var photo = Photo(
            id: "p\(number)",
            slug: "slug-p\(number)",
            width: 4000,
            height: 3000,
            createdAt: "2024-07-02T16:19:28Z",
            hotlinks: Hotlinks { _, _ in raw },
            downloadLocation: "https://api.example/photos/p\(number)/download?ixid=M3w\(number)",
            user: Photographer(username: "ada", name: "Ada Lovelace")
        )
        photo.color = "#d9c0a6"
        photo.blurHash = "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si"
        photo.altDescription = "number \(number)"
        photo.likes = number
        photo.sponsored = number.isMultiple(of: 10)
        return photo
    }
}

import Glibc
import HTTPExchange
package import PhotoLibrary
import Primitives
import Synchronization

/// A photo library with the upstream's wire format, for the service without a key and for app developers.
///
/// Its answers are a function of the target of a request, and of the time, which is in every `ixid`. People, words and
/// pictures are fictional.
package final class BuiltInLibrary: Sendable {
    package struct Configuration: Sendable {
        package var photoCount = 900
        /// The pictures that are drawn or wait at one time; more are refused.
        package var pictureQueueLimit = 64
        /// The wall clock, as Unix time in seconds.
        package var now: @Sendable () -> Int = { time(nil) }

        package init() {}
    }

    let configuration: Configuration
    let catalogue: Catalogue
    /// Draws one picture after the other: a large one takes a few hundred milliseconds, which would delay other answers in
    /// Swift's pool of threads.
    let worker: BoundedWorker<Picture, [UInt8]>

    private static let seed: UInt64 = 0x5F12_96BA_1200_0001

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        catalogue = Catalogue(seed: Self.seed, count: configuration.photoCount)
        worker = BoundedWorker(limit: configuration.pictureQueueLimit)
    }

    /// The ids of all photos in the order of the feed, the newest first.
    package var photoIDs: [String] { catalogue.photos.map(\.id) }

    /// Answers a GET of the API; its links begin with `base`, such as `http://127.0.0.1:9000`.
    func answer(to target: Target, base: String) throws(WireError) -> WireAnswer {
        try LibraryRequest(
            target: target,
            query: WireQuery(target),
            catalogue: catalogue,
            base: base,
            now: configuration.now()
        ).answer()
    }

    /// Returns the picture at `/images/{file}` with `w`, `h`, `dpr`, `fit` and `q`, or at `/images/small/{file}`; nil if
    /// there is none.
    ///
    /// Every picture is a PNG, whatever `fm`: the upstream chooses the format itself, and clients look at Content-Type.
    func picture(at target: Target) -> Picture? {
        let names = target.path.split(separator: "/")
        // The upstream has these without parameters in a bucket elsewhere.
        let isSmall = names.count == 3 && names[1] == "small"
        guard names.first == "images", names.count == 2 || isSmall,
            let photo = catalogue.photos.first(where: { $0.file == names[names.count - 1] })
        else { return nil }
        let query = isSmall ? WireQuery(Target("/?w=400&fit=max")) : WireQuery(target)
        let size = PictureSize(
            of: photo,
            width: query.number("w", atLeast: 1),
            height: query.number("h", atLeast: 1),
            dpr: query.number("dpr") ?? 1,
            fit: query["fit"]
        )
        return Picture(photo: photo, size: size, dithers: (query.number("q") ?? 75) >= 50)
    }

    /// Returns the file of a picture: draws it, or waits for the drawing that another request has started.
    ///
    /// - Throws: `.overloaded` if too many wait; `.cancelled` if the caller's task is cancelled.
    func file(of picture: Picture) async throws(UpstreamError) -> [UInt8] {
        do {
            return try await worker.value(named: picture, picture.draw)
        } catch {
            throw error is WorkerIsBusy ? .overloaded : .cancelled
        }
    }
}

/// The library in the process of the service.
extension BuiltInLibrary: Library {
    /// The beginning of all links, which lead nowhere (RFC 2606 reserves `.example`): the service replaces them.
    private static let base = "https://api.photos.example"

    package func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer {
        if Task.isCancelled { throw .cancelled }
        do throws(WireError) {
            let answer = try answer(to: Target(target), base: BuiltInLibrary.base)
            return LibraryAnswer(
                Array(answer.json.text.utf8),
                total: answer.page?.total,
                hasNext: answer.page.map { $0.number < $0.count }
            )
        } catch {
            throw error.status == 404 ? .notFound : .invalidQuery(error.status, error.message)
        }
    }

    package func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        guard url.hasPrefix(BuiltInLibrary.base),
            let picture = picture(at: Target(String(url.dropFirst(BuiltInLibrary.base.count))))
        else { throw .notFound }
        let file = try await file(of: picture)
        try receiver.begin(length: file.count)
        try file.withUnsafeBufferPointer { bytes throws(UpstreamError) in
            try receiver.receive(UnsafeRawBufferPointer(bytes))
        }
    }
}

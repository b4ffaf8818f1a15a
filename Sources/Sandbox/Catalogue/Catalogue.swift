import Synchronization

/// The photos of the library, the newest last.
///
/// What a photo says is made at the start, in microseconds each. What its picture looks like (its main colour and its
/// BlurHash) takes a drawing, so it is found when it is first asked for and then kept.
final class Catalogue: Sendable {
    private struct State {
        var photos: [CataloguePhoto] = []
        var numbers: [String: Int] = [:]
        var files: [String: Int] = [:]
        var likenesses: [Int: Likeness] = [:]
        /// Photos of each photographer.
        var shares = [Int](repeating: 0, count: Photographer.all.count)

        mutating func append(_ photo: CataloguePhoto) {
            numbers[photo.id] = photos.count
            files[photo.file] = photos.count
            shares[photo.photographer] += 1
            photos.append(photo)
        }
    }

    private let maker: PhotoMaker
    private let state = Mutex(State())

    /// A library of `count` photos, the same ones for the same `seed`.
    init(seed: UInt64, count: Int) {
        maker = PhotoMaker(seed: seed)
        state.withLock { state in
            for number in 0..<count { state.append(maker.photo(number)) }
        }
    }

    /// The photos, the newest last.
    var photos: [CataloguePhoto] {
        state.withLock(\.photos)
    }

    /// The photo of an id, or of a slug in any language: a slug ends with its id.
    func photo(idOrSlug text: String) -> CataloguePhoto? {
        guard text.count >= PhotoMaker.idLength else { return nil }
        let (words, id) = (text.dropLast(PhotoMaker.idLength), text.suffix(PhotoMaker.idLength))
        guard words.isEmpty || words.hasSuffix("-") else { return nil }
        return state.withLock { state in state.numbers[String(id)].map { state.photos[$0] } }
    }

    /// The photo whose picture is served under `file`.
    func photo(file: String) -> CataloguePhoto? {
        state.withLock { state in state.files[file].map { state.photos[$0] } }
    }

    /// How many photos a photographer has in the library.
    func photoCount(ofPhotographer index: Int) -> Int {
        state.withLock { $0.shares[index] }
    }

    /// Adds `count` photos, newer than all others: on the wire every list shifts by as many.
    func publish(_ count: Int) {
        state.withLock { state in
            for _ in 0..<count { state.append(maker.photo(state.photos.count)) }
        }
    }

    /// The main colour and the BlurHash of a photo's picture.
    func likeness(of photo: CataloguePhoto) -> Likeness {
        if let known = state.withLock({ $0.likenesses[photo.number] }) { return known }
        // Drawn outside the lock: two askers at once draw the same twice, and nobody waits.
        let likeness = Likeness(of: photo)
        state.withLock { $0.likenesses[photo.number] = likeness }
        return likeness
    }
}

import HTTPExchange
import PhotoFeed

/// The id or slug of a photo from a path or a body.
struct PhotoID: Sendable {
    let text: String

    /// Reads a name; nil for any other text.
    ///
    /// `random` is refused: the library answers it with another photo each time, one of which would be cached for an hour.
    init?(_ text: String) {
        guard text != "random", let name = LibraryName(text) else { return nil }
        self.text = name.text
    }
}

extension PathParameters {
    /// The photo that a path names.
    ///
    /// - Throws: `Problem` 404 for a malformed name, without a call of the library.
    func photo(_ name: String = "id") throws(Problem) -> String {
        guard let id = PhotoID(require(name)) else { throw Problem.notALibraryName }
        return id.text
    }

    /// The topic or collection that a path names.
    ///
    /// - Throws: `Problem` 404 for a malformed name, without a call of the library.
    func libraryName(_ name: String) throws(Problem) -> String {
        guard let name = LibraryName(require(name)) else { throw Problem.notALibraryName }
        return name.text
    }
}

extension Problem {
    fileprivate static var notALibraryName: Problem {
        var problem = Problem(
            .photoNotFound,
            "An id or slug must be 1 to \(LibraryName.longest) letters, digits, `-` or `_`."
        )
        problem.fields[.cacheControl] = "no-store"
        return problem
    }
}

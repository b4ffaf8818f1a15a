/// An array of a parsed document.
package struct JSONArray: Sendable {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    /// The number of elements.
    package var count: Int {
        document.withTape { tape in tape.count(index) ?? tape.elements(of: index).reduce(0) { count, _ in count + 1 } }
    }

    /// True when there is no element.
    package var isEmpty: Bool { count == 0 }

    /// The element at `position`, from 0; a position that is not there is a bug of the caller.
    ///
    /// The elements before it are stepped over: to visit all, iterate.
    package subscript(position: Int) -> JSONValue {
        let element = document.withTape { tape in
            position < 0 ? nil : tape.elements(of: index).dropFirst(position).first { _ in true }
        }
        guard let element else { preconditionFailure("no element \(position) in an array of \(count)") }
        return JSONValue(document, element)
    }

    /// Where the array stands in its document (RFC 6901).
    package var pointer: String { document.pointer(to: index) }

    /// An error at this array, for a rule that the caller knows, such as a number of elements.
    package func error(_ detail: String) -> JSONError {
        JSONError(pointer: pointer, detail: detail, isMalformed: false)
    }
}

extension JSONArray: Sequence {
    /// The number of elements, which is known.
    package var underestimatedCount: Int { count }

    /// The elements in their order.
    package func makeIterator() -> Iterator {
        Iterator(document: document, elements: document.withTape { $0.elements(of: index) })
    }

    /// Goes over the elements in their order.
    package struct Iterator: IteratorProtocol {
        fileprivate let document: Document
        fileprivate var elements: Tape.Elements

        /// The next element.
        package mutating func next() -> JSONValue? {
            // `elements` borrows the tape of `document`.
            withExtendedLifetime(document) { elements.next().map { JSONValue(document, $0) } }
        }
    }
}

extension Tape {
    /// The indices of the elements of the array at `index`.
    func elements(of index: Int) -> Elements {
        Elements(tape: self, position: index + 1)
    }

    /// Goes over the elements of an array.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate let tape: Tape
        fileprivate var position: Int

        mutating func next() -> Int? {
            guard tape.letter(position) != Letter.arrayEnd else { return nil }
            defer { position = tape.after(position) }
            return position
        }
    }
}

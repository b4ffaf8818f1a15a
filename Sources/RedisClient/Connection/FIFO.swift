/// A queue in an array: the elements at the front are removed in constant time on average.
struct FIFO<Element> {
    private var elements: [Element] = []
    /// The removed places at the front.
    private var removed = 0

    var isEmpty: Bool { removed == elements.count }
    var first: Element? { isEmpty ? nil : elements[removed] }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func append(contentsOf others: [Element]) {
        elements += others
    }

    /// Removes the first value, and keeps nothing of it in its place.
    mutating func popFirst<Value>() -> Value? where Element == Value? {
        guard !isEmpty else { return nil }
        let value = elements[removed].take()
        removeFirst(1)
        return value
    }

    /// Removes elements at the front, or all if there are fewer.
    mutating func removeFirst(_ count: Int) {
        removed += min(count, elements.count - removed)
        if isEmpty {
            removeAll()
        } else if removed > 64, removed > elements.count / 2 {
            elements.removeFirst(removed)
            removed = 0
        }
    }

    mutating func removeAll() {
        // A megabyte at most is kept for the next elements.
        elements.removeAll(keepingCapacity: elements.capacity * MemoryLayout<Element>.stride <= 1 << 20)
        removed = 0
    }
}

extension FIFO<UInt8> {
    /// Passes the bytes of the queue to `body`.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        elements.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[removed...])) }
    }
}

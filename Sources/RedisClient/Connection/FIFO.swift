/// A queue in an array: elements are removed at the front in constant time on average.
struct FIFO<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : elements[head] }

    /// The element at an offset from the front; nil beyond the end.
    subscript(offset: Int) -> Element? {
        get { offset >= 0 && offset < count ? elements[head + offset] : nil }
        set { if offset >= 0, offset < count { elements[head + offset] = newValue } }
    }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            elements[head] = nil
            head += 1
            if head == elements.count {
                removeAll()
            } else if head > 1024, head > elements.count / 2 {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: elements.count <= 4096)
        head = 0
    }
}

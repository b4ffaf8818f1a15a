import Primitives

/// A scroll view as the bar sees it: its name, and its geometry at the moment.
package struct Scrollable: Sendable {
    /// The client's name for the view; 1 to 128 characters.
    package let id: String
    /// Counts the stored states with this `id`; nil for one that is so short that it takes no memory of its own.
    private let holders: IDHolders?
    package internal(set) var geometry: ScrollGeometry

    /// The longest `id`, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    package static let idLimit = 128

    package init(id: String, geometry: ScrollGeometry) throws(BarLayoutError) {
        guard id.hasLength(upTo: Scrollable.idLimit) else { throw .length("id", limit: Scrollable.idLimit) }
        self.id = id
        let text = HeapBlock.text(id)
        holders = text == 0 ? nil : IDHolders(heapBytes: text + IDHolders.byteCount)
        self.geometry = geometry
    }

    /// The holders of an `id` that is a block of the heap.
    private final class IDHolders: Sendable {
        let heapBytes: Int
        let count = HolderCount()

        static let byteCount = HeapBlock.object(2 * MemoryLayout<Int>.stride)

        init(heapBytes: Int) {
            self.heapBytes = heapBytes
        }
    }
}

// By hand: two views with equal names are equal, also if the names are two blocks of the heap.
extension Scrollable: Equatable {
    package static func == (left: Scrollable, right: Scrollable) -> Bool {
        left.id == right.id && left.geometry == right.geometry
    }
}

// See `BarSession+Memory.swift`.
extension Scrollable {
    var heapBytes: Int { holders?.heapBytes ?? 0 }

    var unheldBytes: Int { holders?.count.isZero == true ? heapBytes : 0 }

    func hold() -> Int { holders?.count.add() == true ? heapBytes : 0 }

    func letGo() -> Int { holders?.count.remove() == true ? heapBytes : 0 }

    func isSameName(as other: Scrollable) -> Bool { holders === other.holders }
}

/// The geometry of a scroll view, in UIKit's words and points.
package struct ScrollGeometry: Sendable, Equatable {
    /// How far the content has moved: grows as the user scrolls down, negative above the top.
    package internal(set) var contentOffset: Point
    package internal(set) var contentSize: Size
    package internal(set) var frame: Rect
    /// Room added around the content; the bar owns top and bottom.
    package internal(set) var contentInset: EdgeInsets

    package init(contentOffset: Point, contentSize: Size, frame: Rect, contentInset: EdgeInsets = .zero) {
        self.contentOffset = contentOffset
        self.contentSize = contentSize
        self.frame = frame
        self.contentInset = contentInset
    }

    /// The y of the content's beginning at rest; anything less is over-scroll.
    var startY: Double { -contentInset.top }

    /// The y of the content's end at rest; anything more is over-scroll.
    var endY: Double { contentSize.height - frame.height + contentInset.bottom }

    /// The nearest y at rest; the beginning, for content that does not fill the view.
    func atRest(_ y: Double) -> Double { max(startY, min(endY, y)) }
}

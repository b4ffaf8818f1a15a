import Primitives

// UIKit's geometry, in points: the origin is at the top left, and y grows downwards.
//
// Every initialiser that takes numbers from a client validates them, so no calculation meets NaN, infinity or numbers
// beyond `Coordinate.limit`.

/// A point, such as the offset of a view's content.
package struct Point: Sendable, Equatable {
    package internal(set) var x: Double
    package internal(set) var y: Double

    /// A point with coordinates within ±`Coordinate.limit`.
    ///
    /// - Throws: `outOfRange` with the name of the member.
    package init(x: Double, y: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
    }

    /// A point that the bar computed: it is finite, as a sum of a few limited numbers.
    init(computedX x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height, neither of them negative.
package struct Size: Sendable, Equatable {
    package let width: Double
    package let height: Double

    /// A size with sides from 0 to `Coordinate.limit`.
    ///
    /// - Throws: `outOfRange` or `negative` with the name of the member.
    package init(width: Double, height: Double) throws(BarLayoutError) {
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }
}

/// A rectangle in the coordinates of the superview; neither side is negative.
package struct Rect: Sendable, Equatable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    /// A rectangle with an origin within ±`Coordinate.limit` and sides from 0 to that limit.
    ///
    /// - Throws: `outOfRange` or `negative` with the name of the member.
    package init(x: Double, y: Double, width: Double, height: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }
}

/// Distances from the edges of a view; with a negative one the content begins outside the view.
package struct EdgeInsets: Sendable, Equatable {
    package internal(set) var top: Double
    package let left: Double
    package internal(set) var bottom: Double
    package let right: Double

    /// Insets that are each within ±`Coordinate.limit`.
    ///
    /// - Throws: `outOfRange` with the name of the member.
    package init(top: Double, left: Double, bottom: Double, right: Double) throws(BarLayoutError) {
        self.top = try Coordinate.checked(top, "top")
        self.left = try Coordinate.checked(left, "left")
        self.bottom = try Coordinate.checked(bottom, "bottom")
        self.right = try Coordinate.checked(right, "right")
    }

    private init() {
        (top, left, bottom, right) = (0, 0, 0, 0)
    }

    /// Insets of 0 at every edge.
    package static let zero = EdgeInsets()
}

/// A scroll view: its `id` and its present geometry.
package struct Scrollable: Sendable {
    /// The name that the client gave the view; 1 to 128 characters.
    package let id: String
    /// Counts the stored sessions with this `id`; nil for a short one, which needs no memory on the heap.
    private let holders: IDHolders?
    package internal(set) var geometry: ScrollGeometry

    /// The longest `id`, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    package static let idLimit = 128

    /// A view with an `id` of 1 to ``idLimit`` characters.
    ///
    /// - Throws: `length` if the `id` is empty or longer.
    package init(id: String, geometry: ScrollGeometry) throws(BarLayoutError) {
        guard id.hasLength(upTo: Scrollable.idLimit) else { throw .length("id", limit: Scrollable.idLimit) }
        self.id = id
        let text = HeapBlock.text(id)
        holders = text == 0 ? nil : IDHolders(heapBytes: text + IDHolders.byteCount)
        self.geometry = geometry
    }

    /// The holder count of an `id` that is stored on the heap.
    private final class IDHolders: Sendable {
        let heapBytes: Int
        let count = HolderCount()

        static let byteCount = HeapBlock.object(2 * MemoryLayout<Int>.stride)

        init(heapBytes: Int) {
            self.heapBytes = heapBytes
        }
    }
}

// Written by hand, because views with equal ids are equal even if the ids are stored twice.
extension Scrollable: Equatable {
    package static func == (left: Scrollable, right: Scrollable) -> Bool {
        left.id == right.id && left.geometry == right.geometry
    }
}

// See `HeldMemory.swift`.
extension Scrollable {
    var heapBytes: Int { holders?.heapBytes ?? 0 }

    var unheldBytes: Int { holders?.count.isZero == true ? heapBytes : 0 }

    func hold() -> Int { holders?.count.add() == true ? heapBytes : 0 }

    func release() -> Int { holders?.count.remove() == true ? heapBytes : 0 }

    func sharesID(with other: Scrollable) -> Bool { holders === other.holders }
}

/// The geometry of a scroll view, in points, named as UIKit names it.
package struct ScrollGeometry: Sendable, Equatable {
    /// The offset of the content: it grows while the user scrolls down, and is negative above the top.
    package internal(set) var contentOffset: Point
    package internal(set) var contentSize: Size
    package internal(set) var frame: Rect
    /// The insets around the content; the bar sets the top and the bottom one.
    package internal(set) var contentInset: EdgeInsets

    package init(contentOffset: Point, contentSize: Size, frame: Rect, contentInset: EdgeInsets = .zero) {
        self.contentOffset = contentOffset
        self.contentSize = contentSize
        self.frame = frame
        self.contentInset = contentInset
    }

    /// The least y at rest; a lesser one is over-scroll.
    var startY: Double { -contentInset.top }

    /// The y at rest at the end of the content; a greater one is over-scroll.
    var endY: Double { contentSize.height - frame.height + contentInset.bottom }

    /// Returns the nearest y at rest; ``startY`` if the content does not fill the view.
    func atRest(_ y: Double) -> Double { max(startY, min(endY, y)) }
}

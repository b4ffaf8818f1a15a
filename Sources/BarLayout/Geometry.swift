// UIKit's geometry, in points: the origin is at the top left, and y grows downwards.
//
// The initialisers for numbers from a client throw `outOfRange` beyond ±`Coordinate.limit`, and `negative` for a side below
// 0, with the name of the member. So no calculation meets NaN or infinity.

/// A point, such as the offset of a view's content.
public struct Point: Sendable, Equatable {
    /// The distance from the left.
    public internal(set) var x: Double
    /// The distance from the top.
    public internal(set) var y: Double

    /// A point with coordinates within ±`Coordinate.limit`.
    public init(x: Double, y: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
    }

    /// The nearest point with coordinates within ±`Coordinate.limit`; NaN becomes 0.
    public init(nearestX x: Double, y: Double) {
        self.init(computedX: Coordinate.nearest(x), y: Coordinate.nearest(y))
    }

    /// A point that a bar computed: it is finite, as a sum of limited numbers.
    package init(computedX x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A width and a height, neither of them negative.
public struct Size: Sendable, Equatable {
    /// The extent from left to right.
    public let width: Double
    /// The extent from top to bottom.
    public let height: Double

    /// A size with sides from 0 to `Coordinate.limit`.
    public init(width: Double, height: Double) throws(BarLayoutError) {
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }

    /// The nearest size with sides from 0 to `Coordinate.limit`; NaN becomes 0.
    public init(nearestWidth width: Double, height: Double) {
        self.width = max(0, Coordinate.nearest(width))
        self.height = max(0, Coordinate.nearest(height))
    }
}

/// A rectangle in the coordinates of the superview; neither side is negative.
public struct Rect: Sendable, Equatable {
    /// The left edge.
    public let x: Double
    /// The top edge.
    public let y: Double
    /// The extent from left to right.
    public let width: Double
    /// The extent from top to bottom.
    public let height: Double

    /// A rectangle with an origin within ±`Coordinate.limit` and sides from 0 to that limit.
    public init(x: Double, y: Double, width: Double, height: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }

    /// The nearest rectangle within the limits; NaN becomes 0.
    public init(nearestX x: Double, y: Double, width: Double, height: Double) {
        self.x = Coordinate.nearest(x)
        self.y = Coordinate.nearest(y)
        self.width = max(0, Coordinate.nearest(width))
        self.height = max(0, Coordinate.nearest(height))
    }
}

/// Distances from the edges of a view; with a negative one the content begins outside the view.
public struct EdgeInsets: Sendable, Equatable {
    /// The inset at the top.
    public internal(set) var top: Double
    /// The inset at the left.
    public let left: Double
    /// The inset at the bottom.
    public internal(set) var bottom: Double
    /// The inset at the right.
    public let right: Double

    /// Insets that are each within ±`Coordinate.limit`.
    public init(top: Double, left: Double, bottom: Double, right: Double) throws(BarLayoutError) {
        self.top = try Coordinate.checked(top, "top")
        self.left = try Coordinate.checked(left, "left")
        self.bottom = try Coordinate.checked(bottom, "bottom")
        self.right = try Coordinate.checked(right, "right")
    }

    /// Insets of which a bar computed some: they are finite.
    package init(computedTop top: Double, left: Double, bottom: Double, right: Double) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// Insets of 0 at every edge.
    public static let zero = EdgeInsets(computedTop: 0, left: 0, bottom: 0, right: 0)
}

/// A scroll view: its `id` and its present geometry.
public struct Scrollable: Sendable, Equatable {
    /// The name that the client gave the view; 1 to 128 characters.
    public let id: String
    /// The present geometry of the view.
    public internal(set) var geometry: ScrollGeometry

    /// The longest `id`, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    public static let idLimit = 128

    /// A view with an `id` of 1 to ``idLimit`` characters; throws `length` for any other.
    public init(id: String, geometry: ScrollGeometry) throws(BarLayoutError) {
        guard id.hasLength(upTo: Scrollable.idLimit) else { throw .length("id", limit: Scrollable.idLimit) }
        self.id = id
        self.geometry = geometry
    }

    /// A view with the nearest `id`: the first ``idLimit`` characters, or `main` for an empty text.
    public init(nearestID id: String, geometry: ScrollGeometry) {
        self.id = id.isEmpty ? "main" : String(String.UnicodeScalarView(id.unicodeScalars.prefix(Scrollable.idLimit)))
        self.geometry = geometry
    }

    /// Whether both have the same geometry, and ids of the same bytes.
    public static func == (left: Scrollable, right: Scrollable) -> Bool {
        left.id.hasBytes(of: right.id) && left.geometry == right.geometry
    }
}

/// The geometry of a scroll view, in points, named as UIKit names it.
public struct ScrollGeometry: Sendable, Equatable {
    /// The offset of the content: it grows while the user scrolls down, and is negative above the top.
    public internal(set) var contentOffset: Point
    /// The size of the content.
    public internal(set) var contentSize: Size
    /// The frame of the view in its superview.
    public internal(set) var frame: Rect
    /// The insets around the content; the bar sets the top and the bottom one.
    public package(set) var contentInset: EdgeInsets

    /// The geometry of a view, by default without insets.
    public init(contentOffset: Point, contentSize: Size, frame: Rect, contentInset: EdgeInsets = .zero) {
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

// UIKit's geometry, in points: the origin is at the top left, y grows downwards.
//
// Every initialiser that takes numbers from outside validates them, so no calculation below has to think of NaN,
// infinity or absurd magnitudes.

/// A point, such as the offset of the content's origin from the view's.
package struct Point: Sendable, Equatable {
    package internal(set) var x: Double
    package internal(set) var y: Double

    /// A point from outside: both within ±`Coordinate.limit`.
    package init(x: Double, y: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
    }

    /// A point that the bar's own arithmetic arrived at: finite, since it is a sum of a few limited numbers.
    init(computedX x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// An extent; neither side is negative.
package struct Size: Sendable, Equatable {
    package let width: Double
    package let height: Double

    /// A size from outside: both sides from 0 to `Coordinate.limit`.
    package init(width: Double, height: Double) throws(BarLayoutError) {
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }
}

/// A rectangle in its superview; neither side is negative.
package struct Rect: Sendable, Equatable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    /// A rectangle from outside: origin within ±`Coordinate.limit`, sides from 0 to it.
    package init(x: Double, y: Double, width: Double, height: Double) throws(BarLayoutError) {
        self.x = try Coordinate.checked(x, "x")
        self.y = try Coordinate.checked(y, "y")
        self.width = try Coordinate.checkedLength(width, "width")
        self.height = try Coordinate.checkedLength(height, "height")
    }
}

/// Distances from the edges of a view; a negative one lets the content begin outside.
package struct EdgeInsets: Sendable, Equatable {
    package internal(set) var top: Double
    package let left: Double
    package internal(set) var bottom: Double
    package let right: Double

    /// Insets from outside: each within ±`Coordinate.limit`.
    package init(top: Double, left: Double, bottom: Double, right: Double) throws(BarLayoutError) {
        self.top = try Coordinate.checked(top, "top")
        self.left = try Coordinate.checked(left, "left")
        self.bottom = try Coordinate.checked(bottom, "bottom")
        self.right = try Coordinate.checked(right, "right")
    }

    private init() {
        (top, left, bottom, right) = (0, 0, 0, 0)
    }

    /// No insets at all.
    package static let zero = EdgeInsets()
}

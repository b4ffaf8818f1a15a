/// A scroll view as the bar sees it: who it is, and its geometry at the moment.
package struct Scrollable: Sendable, Equatable {
    /// The client's name for the view; 1 to 128 characters.
    package let id: String
    package internal(set) var geometry: ScrollGeometry

    /// The longest `id`, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    package static let idLimit = 128

    package init(id: String, geometry: ScrollGeometry) throws(BarLayoutError) {
        guard id.hasLength(upTo: Scrollable.idLimit) else { throw .length("id", limit: Scrollable.idLimit) }
        self.id = id
        self.geometry = geometry
    }
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

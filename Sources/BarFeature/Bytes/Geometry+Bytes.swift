import BarLayout
import Primitives

// A client sends numbers within `Coordinate.limit`. The bar computes some from them, which only have to be finite: those
// are read by the functions with names that begin with `computed`.

extension ByteWriter {
    mutating func put(_ point: Point) {
        put(point.x)
        put(point.y)
    }

    mutating func put(_ size: Size) {
        put(size.width)
        put(size.height)
    }

    mutating func put(_ rect: Rect) {
        put(rect.x)
        put(rect.y)
        put(rect.width)
        put(rect.height)
    }

    mutating func put(_ insets: EdgeInsets) {
        put(insets.top)
        put(insets.left)
        put(insets.bottom)
        put(insets.right)
    }

    mutating func put(_ scrollable: Scrollable) {
        put(scrollable.id)
        put(scrollable.geometry.contentOffset)
        put(scrollable.geometry.contentSize)
        put(scrollable.geometry.frame)
        put(scrollable.geometry.contentInset)
    }

    mutating func put(_ gesture: BarEvent.PanGestureState) {
        // `!`: a case is an element of the list of all cases.
        put(UInt8(BarEvent.PanGestureState.allCases.firstIndex(of: gesture)!))
    }
}

extension ByteReader {
    mutating func point() throws(StoredBytesError) -> Point {
        let (x, y) = (try double(), try double())
        return try valid(Point(x: x, y: y))
    }

    mutating func computedPoint() throws(StoredBytesError) -> Point {
        let (x, y) = (try double(), try double())
        return try valid(Point(restoringX: x, y: y))
    }

    mutating func size() throws(StoredBytesError) -> Size {
        let (width, height) = (try double(), try double())
        return try valid(Size(width: width, height: height))
    }

    mutating func rect() throws(StoredBytesError) -> Rect {
        let (x, y, width, height) = (try double(), try double(), try double(), try double())
        return try valid(Rect(x: x, y: y, width: width, height: height))
    }

    mutating func insets() throws(StoredBytesError) -> EdgeInsets {
        let (top, left, bottom, right) = (try double(), try double(), try double(), try double())
        return try valid(EdgeInsets(top: top, left: left, bottom: bottom, right: right))
    }

    private mutating func computedInsets() throws(StoredBytesError) -> EdgeInsets {
        let (top, left, bottom, right) = (try double(), try double(), try double(), try double())
        return try valid(EdgeInsets(restoringTop: top, left: left, bottom: bottom, right: right))
    }

    mutating func scrollable() throws(StoredBytesError) -> Scrollable {
        let id = try text()
        let geometry = ScrollGeometry(
            contentOffset: try point(),
            contentSize: try size(),
            frame: try rect(),
            contentInset: try insets()
        )
        return try valid(Scrollable(id: id, geometry: geometry))
    }

    mutating func computedScrollable() throws(StoredBytesError) -> Scrollable {
        let id = try text()
        let geometry = ScrollGeometry(
            contentOffset: try computedPoint(),
            contentSize: try size(),
            frame: try rect(),
            contentInset: try computedInsets()
        )
        return try valid(Scrollable(id: id, geometry: geometry))
    }

    mutating func gesture() throws(StoredBytesError) -> BarEvent.PanGestureState {
        let index = try byte()
        guard index < BarEvent.PanGestureState.allCases.count else { throw .unknownKind(index) }
        return BarEvent.PanGestureState.allCases[Int(index)]
    }
}

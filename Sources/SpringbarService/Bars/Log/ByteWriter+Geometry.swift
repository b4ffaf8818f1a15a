import BarLayout

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
        // A case is in the list of all cases.
        put(UInt8(BarEvent.PanGestureState.allCases.firstIndex(of: gesture)!))
    }
}

// Whatever was put in had passed the validating initialisers: `try!` says that it does so again.
extension ByteReader {
    mutating func point() -> Point {
        try! Point(x: double(), y: double())
    }

    mutating func size() -> Size {
        try! Size(width: double(), height: double())
    }

    mutating func rect() -> Rect {
        try! Rect(x: double(), y: double(), width: double(), height: double())
    }

    mutating func insets() -> EdgeInsets {
        try! EdgeInsets(top: double(), left: double(), bottom: double(), right: double())
    }

    mutating func scrollable() -> Scrollable {
        let id = text()
        let geometry = ScrollGeometry(
            contentOffset: point(),
            contentSize: size(),
            frame: rect(),
            contentInset: insets()
        )
        return try! Scrollable(id: id, geometry: geometry)
    }

    mutating func gesture() -> BarEvent.PanGestureState {
        BarEvent.PanGestureState.allCases[Int(byte())]
    }
}

import BarLayout
import JSON

// All values that a bar keeps between two events, both ways. A client that has lost a bar creates it again from them.

extension JSONValue {
    /// The greatest magnitude of a number that a bar computes, such as a sum of a few coordinates.
    private static let computedLimit = 1e12

    /// Reads the snapshot of a bar with these heights.
    func snapshot(of configuration: BarConfiguration) throws -> BarSession.Snapshot {
        let object = try object()
        try object.only(
            "offset",
            "isExpandedStateAvailable",
            "scrollable",
            "previousContentOffset",
            "previousContentSize",
            "baseInsetBottom"
        )
        let offset = try object["offset"].computedNumber()
        let canExpand = try object["isExpandedStateAvailable"].bool()
        let scrollable = try object["scrollable"].observedScrollable()
        let previousOffset = try object.optional("previousContentOffset")?.computedPoint()
        let previousSize = try object.optional("previousContentSize")?.size()
        let baseInset = try object["baseInsetBottom"].computedNumber()
        return try locating(
            pointer,
            BarSession.Snapshot(
                state: BarState(
                    restoring: offset,
                    isExpandedStateAvailable: canExpand,
                    configuration: configuration
                ),
                scrollable: scrollable,
                previousContentOffset: previousOffset,
                previousContentSize: previousSize,
                baseInsetBottom: baseInset
            )
        )
    }

    private func observedScrollable() throws -> Scrollable {
        let object = try object()
        try object.only("id", "contentOffset", "contentSize", "frame", "contentInset")
        let id = try object["id"].string()
        let geometry = ScrollGeometry(
            contentOffset: try object["contentOffset"].computedPoint(),
            contentSize: try object["contentSize"].size(),
            frame: try object["frame"].rect(),
            contentInset: try object["contentInset"].computedInsets()
        )
        return try locating(pointer, Scrollable(id: id, geometry: geometry))
    }

    private func computedPoint() throws -> Point {
        let object = try object()
        try object.only("x", "y")
        let (x, y) = (try object["x"].computedNumber(), try object["y"].computedNumber())
        return try locating(pointer, Point(restoringX: x, y: y))
    }

    private func computedInsets() throws -> EdgeInsets {
        let object = try object()
        try object.only("top", "left", "bottom", "right")
        let (top, left) = (try object["top"].computedNumber(), try object.double("left"))
        let (bottom, right) = (try object["bottom"].computedNumber(), try object.double("right"))
        return try locating(pointer, EdgeInsets(restoringTop: top, left: left, bottom: bottom, right: right))
    }

    private func computedNumber() throws -> Double {
        let number = try double()
        guard abs(number) <= JSONValue.computedLimit else {
            throw BarSessionError.invalid(pointer: pointer, .outOfRange("snapshot"))
        }
        return number
    }
}

extension JSONWriter {
    /// Writes a snapshot as a creation reads it.
    mutating func member(_ name: String, _ snapshot: BarSession.Snapshot) {
        let state = snapshot.state
        object(name) { json in
            json.member("offset", state.offset)
            json.member("isExpandedStateAvailable", state.isExpandedStateAvailable)
            json.member("scrollable", snapshot.scrollable)
            if let offset = snapshot.previousContentOffset { json.member("previousContentOffset", offset) }
            if let size = snapshot.previousContentSize { json.member("previousContentSize", size) }
            json.member("baseInsetBottom", snapshot.baseInsetBottom)
        }
    }
}

import BarLayout
import JSON

// All values that a bar keeps between two events, both ways. A client that has lost a bar creates it again from them.

extension JSONValue {
    func snapshot(of configuration: BarConfiguration) throws -> BarSession.Snapshot {
        let object = try object()
        try object.only([
            "offset", "isExpandedStateAvailable", "scrollable", "previousContentOffset", "previousContentSize",
            "baseInsetBottom",
        ])
        let state = BarState(
            offset: try object["offset"].computedNumber(),
            isExpandedStateAvailable: try object["isExpandedStateAvailable"].bool(),
            configuration: configuration
        )
        return BarSession.Snapshot(
            state: state,
            scrollable: try object["scrollable"].scrollable(ofSnapshot: true),
            previousContentOffset: try object.optional("previousContentOffset")?.computedPoint(),
            previousContentSize: try object.optional("previousContentSize")?.size(),
            baseInsetBottom: try object["baseInsetBottom"].computedNumber()
        )
    }

    func computedPoint() throws -> Point {
        let object = try object()
        try object.only("x", "y")
        return Point(computedX: try object["x"].computedNumber(), y: try object["y"].computedNumber())
    }

    func computedInsets() throws -> EdgeInsets {
        let object = try object()
        try object.only("top", "left", "bottom", "right")
        return EdgeInsets(
            computedTop: try object["top"].computedNumber(),
            left: try object["left"].number(named: "left"),
            bottom: try object["bottom"].computedNumber(),
            right: try object["right"].number(named: "right")
        )
    }

    /// Reads a number that a bar computed, such as a sum of a few coordinates.
    private func computedNumber() throws -> Double { try number(named: "snapshot", upTo: Coordinate.computedLimit) }
}

extension JSONWriter {
    /// Writes a snapshot as a creation reads it.
    mutating func member(_ name: StaticString, _ snapshot: BarSession.Snapshot) {
        let snapshot = snapshot.limited
        object(name) { json in
            json.member("offset", snapshot.state.offset)
            json.member("isExpandedStateAvailable", snapshot.state.isExpandedStateAvailable)
            json.member("scrollable", snapshot.scrollable)
            if let offset = snapshot.previousContentOffset { json.member("previousContentOffset", offset) }
            if let size = snapshot.previousContentSize { json.member("previousContentSize", size) }
            json.member("baseInsetBottom", snapshot.baseInsetBottom)
        }
    }
}

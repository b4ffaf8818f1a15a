import BarLayout

// All values that a bar keeps between two events, as the service writes and reads them.

extension BarSession.Snapshot {
    /// Reads the snapshot of a bar with these heights.
    init(_ json: JSONDocument, configuration: BarConfiguration) throws {
        let (view, inset) = (json["scrollable"], json["scrollable"]?["contentInset"])
        let offset = try BarSession.Snapshot.point(view?["contentOffset"])
        let previous = try json["previousContentOffset"].map { try BarSession.Snapshot.point($0) }
        let geometry = ScrollGeometry(
            contentOffset: offset,
            contentSize: try Size(view?["contentSize"]),
            frame: try Rect(view?["frame"]),
            contentInset: try EdgeInsets(
                restoringTop: inset.number("top"),
                left: inset.number("left"),
                bottom: inset.number("bottom"),
                right: inset.number("right")
            )
        )
        try self.init(
            state: BarState(
                restoring: required(json["offset"]?.double),
                isExpandedStateAvailable: required(json["isExpandedStateAvailable"]?.bool),
                configuration: configuration
            ),
            scrollable: Scrollable(id: required(view?["id"]?.string), geometry: geometry),
            previousContentOffset: previous,
            previousContentSize: json["previousContentSize"].map { try Size($0) },
            baseInsetBottom: required(json["baseInsetBottom"]?.double)
        )
    }

    private static func point(_ json: JSONDocument?) throws -> Point {
        try Point(restoringX: json.number("x"), y: json.number("y"))
    }

    var json: JSONDocument {
        .object([
            "offset": .number(state.offset),
            "isExpandedStateAvailable": .bool(state.isExpandedStateAvailable),
            "scrollable": scrollable.json,
            "previousContentOffset": previousContentOffset?.json,
            "previousContentSize": previousContentSize?.json,
            "baseInsetBottom": .number(baseInsetBottom),
        ])
    }
}

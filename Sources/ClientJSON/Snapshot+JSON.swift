package import BarLayout

extension BarSession.Snapshot: JSONConvertible {
    package init(_ json: JSONDocument, configuration: BarConfiguration) throws {
        let (view, inset) = (json["scrollable"], json["scrollable"]?["contentInset"])
        func point(_ json: JSONDocument?) throws -> Point {
            try Point(computedX: json.number("x"), y: json.number("y"))
        }
        let geometry = ScrollGeometry(
            contentOffset: try point(view?["contentOffset"]),
            contentSize: try Size(view?["contentSize"]),
            frame: try Rect(view?["frame"]),
            contentInset: try EdgeInsets(
                computedTop: inset.number("top"),
                left: inset.number("left"),
                bottom: inset.number("bottom"),
                right: inset.number("right")
            )
        )
        try self.init(
            state: BarState(
                offset: required(json["offset"]?.double),
                isExpandedStateAvailable: required(json["isExpandedStateAvailable"]?.bool),
                configuration: configuration
            ),
            scrollable: Scrollable(id: required(view?["id"]?.string), geometry: geometry),
            previousContentOffset: json["previousContentOffset"].map { try point($0) },
            previousContentSize: json["previousContentSize"].map { try Size($0) },
            baseInsetBottom: required(json["baseInsetBottom"]?.double)
        )
    }

    package var json: JSONDocument {
        let bar = limited
        return .object([
            "offset": bar.state.offset, "isExpandedStateAvailable": bar.state.isExpandedStateAvailable,
            "scrollable": bar.scrollable, "previousContentOffset": bar.previousContentOffset,
            "previousContentSize": bar.previousContentSize, "baseInsetBottom": bar.baseInsetBottom,
        ])
    }
}

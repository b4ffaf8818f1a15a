import BarLayout
import SpringbarClient

extension BarDefinition {
    /// The bar of most examples.
    static func feed() throws -> BarDefinition {
        let geometry = ScrollGeometry(
            contentOffset: try Point(x: 0, y: -200),
            contentSize: try Size(width: 375, height: 4800),
            frame: try Rect(x: 0, y: 0, width: 375, height: 667)
        )
        return BarDefinition(
            configuration: try BarConfiguration(
                compactStateHeight: 100,
                normalStateHeight: 200,
                expandedStateHeight: 300
            ),
            scrollable: try Scrollable(id: "feed", geometry: geometry)
        )
    }
}

extension BarEvent {
    /// The user moved the content to this y.
    static func scroll(_ y: Double) -> BarEvent {
        // `try!`: the tests use small numbers.
        BarEvent(.contentOffset(try! Point(x: 0, y: y)))
    }
}

extension Track {
    /// A track by keyframes.
    static var shift: Track {
        // `try!`: the constants are valid.
        try! Track(
            name: "shift",
            curve: .keyframes(
                Keyframes([Keyframe(progress: 0, value: 0), Keyframe(progress: 2, value: 1)])
            )
        )
    }
}

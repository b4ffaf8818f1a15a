import BarLayout
import TestSupport
import Testing

@Suite("The state of a bar")
struct BarStateTests {
    @Test(
        "a value follows its ranges, which may be reversed or have different values at normal",
        arguments: [(offset: -100.0, value: 10.0), (-150, 5), (-199, 0.1), (-200, 7), (-250, -1.5), (-300, -10)]
    )
    func value(_ row: (offset: Double, value: Double)) {
        let state = BarState(offset: row.offset, isExpandedStateAvailable: true, configuration: .hundreds)
        let value = state.value(compactNormalRange: .range(10, 0), normalExpandedRange: .range(7, -10))
        #expect(abs(value - row.value) < 1e-9)
        #expect(state.value(compactNormalRange: .value(3), normalExpandedRange: .value(3)) == 3)
    }

    @Test("equal heights never divide by zero")
    func equalHeights() throws {
        let flat = try BarConfiguration(compactStateHeight: 80, normalStateHeight: 80, expandedStateHeight: 80)
        let state = BarState(offset: -80, isExpandedStateAvailable: false, configuration: flat)
        #expect(state.transitionProgress == 2)
        #expect(state.value(compactNormalRange: .range(0, 1), normalExpandedRange: .range(1, 5)) == 5)
    }

    @Test(
        "heights that are out of order, negative or too large are refused",
        arguments: [
            (100.0, 90.0, 300.0, BarLayoutError.heightsNotAscending),
            (100, 200, 150, .heightsNotAscending),
            (-1, 200, 300, .negativeHeight("compactStateHeight")),
            (-1, -2, 300, .negativeHeight("compactStateHeight")),
            (0, -1, 300, .negativeHeight("normalStateHeight")),
            (0, 0, -.leastNonzeroMagnitude, .negativeHeight("expandedStateHeight")),
            (.nan, 200, 300, .outOfRange("compactStateHeight")),
            (100, .infinity, 300, .outOfRange("normalStateHeight")),
            (100, 200, 2e9, .outOfRange("expandedStateHeight")),
        ]
    )
    func refused(_ row: (Double, Double, Double, BarLayoutError)) {
        #expect(throws: row.3) {
            try BarConfiguration(
                compactStateHeight: row.0,
                normalStateHeight: row.1,
                expandedStateHeight: row.2
            )
        }
    }

    @Test("geometry is finite, within limits, and its lengths are not negative")
    func geometry() throws {
        #expect(throws: BarLayoutError.outOfRange("y")) { try Point(x: 0, y: .nan) }
        #expect(throws: BarLayoutError.outOfRange("x")) { try Point(x: -1.0000001e9, y: 0) }
        #expect(throws: BarLayoutError.negative("height")) { try Size(width: 0, height: -0.5) }
        #expect(throws: BarLayoutError.negative("width")) { try Rect(x: -5, y: -5, width: -1, height: 1) }
        #expect(throws: BarLayoutError.outOfRange("left")) {
            try EdgeInsets(top: 0, left: -.infinity, bottom: 0, right: 0)
        }
        #expect(try EdgeInsets(top: -20, left: 0, bottom: 0, right: 0).top == -20)
        #expect(try Point(x: 1e9, y: -1e9).x == 1e9)
    }

    @Test("the nearest geometry is within the limits, and its lengths are not negative")
    func nearest() throws {
        let nearest = Rect(nearestX: -2e9, y: .nan, width: 3, height: -4)
        #expect(try nearest == Rect(x: -1e9, y: 0, width: 3, height: 0))
        #expect(try Rect(nearestX: 1, y: 2, width: -3, height: 4e9) == Rect(x: 1, y: 2, width: 0, height: 1e9))
    }

    @Test("the id of a view has 1 to 128 Unicode scalars")
    func identifiers() throws {
        let geometry = try Scrollable.view().geometry
        #expect(throws: BarLayoutError.length("id", limit: 128)) { try Scrollable(id: "", geometry: geometry) }
        #expect(throws: BarLayoutError.length("id", limit: 128)) {
            try Scrollable(id: String(repeating: "é", count: 129), geometry: geometry)
        }
        #expect(try Scrollable(id: String(repeating: "é", count: 128), geometry: geometry).id.utf8.count == 256)
        for (id, nearest) in [
            ("feed", "feed"), ("", "main"), (String(repeating: "é", count: 129), String(repeating: "é", count: 128)),
        ] {
            #expect(Scrollable(nearestID: id, geometry: geometry).id == nearest)
        }
    }
}

import BarLayout
import TestSupport
import Testing

@Suite("The state of a bar")
struct BarStateTests {
    // `Tests/Vectors/refusals.json` has the refusals of numbers that JSON can have.

    @Test("numbers that JSON cannot have are refused, and the faults of heights have an order")
    func refused() {
        func heights(_ compact: Double, _ normal: Double, _ expanded: Double) throws {
            _ = try BarConfiguration(
                compactStateHeight: compact,
                normalStateHeight: normal,
                expandedStateHeight: expanded
            )
        }
        #expect(throws: BarLayoutError.outOfRange("compactStateHeight")) { try heights(.nan, 200, 300) }
        #expect(throws: BarLayoutError.outOfRange("normalStateHeight")) { try heights(100, .infinity, 300) }
        #expect(throws: BarLayoutError.negativeHeight("compactStateHeight")) { try heights(-1, -2, 300) }
        #expect(throws: BarLayoutError.negativeHeight("expandedStateHeight")) {
            try heights(0, 0, -.leastNonzeroMagnitude)
        }
        for number in [Double.nan, -.infinity] {
            #expect(throws: BarLayoutError.outOfRange("y")) { try Point(x: 0, y: number) }
            #expect(throws: BarLayoutError.outOfRange("left")) {
                try EdgeInsets(top: 0, left: number, bottom: 0, right: 0)
            }
            #expect(throws: BarLayoutError.outOfRange("tolerance")) { try Tolerance(points: number) }
        }
        for rate in [0.0, 1] {
            #expect(throws: BarLayoutError.outOfRange("decelerationRate")) { try DecelerationRate(rate) }
        }
    }

    @Test("numbers at the limits are accepted")
    func accepted() throws {
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

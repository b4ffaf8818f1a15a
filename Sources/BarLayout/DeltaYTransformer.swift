// A scroll view reports where its content is; the bar asks by how much it has to follow. Between the two stand stages,
// each of which corrects the difference that the one before it left (AirBar: `ContentOffsetDeltaYTransformer`).

/// What a stage looks at.
package struct DeltaYParameters: Sendable {
    package let geometry: ScrollGeometry
    package let previousContentOffset: Point
    package let contentOffset: Point
    package let state: BarState
    /// The difference so far, in points; positive shrinks the bar.
    package internal(set) var deltaY: Double

    package init(
        geometry: ScrollGeometry,
        previousContentOffset: Point,
        contentOffset: Point,
        state: BarState,
        deltaY: Double
    ) {
        self.geometry = geometry
        self.previousContentOffset = previousContentOffset
        self.contentOffset = contentOffset
        self.state = state
        self.deltaY = deltaY
    }

    package var configuration: BarConfiguration { state.configuration }
}

/// One stage: its name, for explanations, and what it does.
package struct DeltaYTransformer: Sendable {
    package let name: String
    package let transform: @Sendable (DeltaYParameters) -> Double

    package init(name: String, transform: @escaping @Sendable (DeltaYParameters) -> Double) {
        self.name = name
        self.transform = transform
    }
}

extension DeltaYTransformer {
    /// Takes out what happened above the content's beginning.
    ///
    /// It charges the whole previous overshoot on every sample while both are above, and does not trim on the way in
    /// (`top.bothAboveWhileNotAtMaximum`, `top.enteringOverscrollIsNotTrimmed`). AirBar's users see this bar, so ours
    /// do too; `overscroll` is the repair.
    package static let ignoreTop = DeltaYTransformer(name: "ignoreTop") { parameters in
        let start = parameters.geometry.contentInset.top
        guard parameters.previousContentOffset.y < -start || parameters.contentOffset.y < -start else {
            return parameters.deltaY
        }
        return parameters.deltaY + min(0, parameters.previousContentOffset.y + start)
    }

    /// Takes out what happened below the content's end; with the flaw of `ignoreTop` (`bottom.bounceCollapses`).
    package static let ignoreBottom = DeltaYTransformer(name: "ignoreBottom") { parameters in
        let end = parameters.geometry.endY
        guard parameters.previousContentOffset.y > end || parameters.contentOffset.y > end else {
            return parameters.deltaY
        }
        return parameters.deltaY + max(0, parameters.previousContentOffset.y - end)
    }

    /// Keeps the bar between compact and the tallest height allowed now.
    ///
    /// Always the last stage.
    ///
    /// A delta of zero, a sideways scroll, goes the upward way: a bar left open beyond what is allowed closes then.
    /// The offset is added and subtracted again, as AirBar does, because the rounding shows.
    package static let cutOut = DeltaYTransformer(name: "cutOut") { parameters in
        let offset = parameters.state.offset
        if parameters.deltaY > 0 {
            return min(-parameters.configuration.compactStateHeight, offset + parameters.deltaY) - offset
        }
        return max(parameters.state.leastOffset, offset + parameters.deltaY) - offset
    }

    /// The repair of both over-scroll stages: the difference of the two offsets at rest.
    package static let ignoreOverscroll = DeltaYTransformer(name: "ignoreOverscroll") { parameters in
        let geometry = parameters.geometry
        return geometry.atRest(parameters.contentOffset.y) - geometry.atRest(parameters.previousContentOffset.y)
    }
}

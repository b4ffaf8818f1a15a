// A scroll view reports its content offset. The bar follows by the difference to the previous offset, after a list of
// stages has corrected it (AirBar: `ContentOffsetDeltaYTransformer`, `makeDefaultStateReducer`).

/// A list of stages that turn a move of the content into the next offset of the bar.
package struct Reducer: Sendable {
    /// The stages, in order; each gets the difference that the one before it returned.
    package let transformers: [DeltaYTransformer]

    package init(transformers: [DeltaYTransformer]) {
        self.transformers = transformers
    }

    /// AirBar's stages.
    ///
    /// The first two read offsets and not the difference, so their order has no effect. `cutOut` must be last.
    package static let airBar = Reducer(transformers: [.ignoreTop, .ignoreBottom, .cutOut])

    /// The stages of the `overscroll` repair.
    package static let overscrollRepaired = Reducer(transformers: [.ignoreOverscroll, .cutOut])

    /// Returns the offset of the bar after a move; appends the stages to `explanation` unless it is nil.
    func offset(_ parameters: DeltaYParameters, explaining explanation: inout Explanation?) -> Double {
        var parameters = parameters
        parameters.deltaY = parameters.contentOffset.y - parameters.previousContentOffset.y
        var reduction = explanation.map { _ in
            Explanation.Reduction(
                previousY: parameters.previousContentOffset.y,
                y: parameters.contentOffset.y,
                deltaY: parameters.deltaY
            )
        }
        for index in transformers.indices {
            parameters.deltaY = transformers[index].transform(parameters)
            reduction?.stages.append(.init(name: transformers[index].name, deltaY: parameters.deltaY))
        }
        if let reduction { explanation?.reductions.append(reduction) }
        return parameters.state.offset + parameters.deltaY
    }
}

/// The input of a stage.
package struct DeltaYParameters: Sendable {
    package let geometry: ScrollGeometry
    package let previousContentOffset: Point
    package let contentOffset: Point
    package let state: BarState
    /// The difference after the previous stage, in points; a positive one shrinks the bar.
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

/// A stage: a name for explanations, and a function from the input to a difference in points.
package struct DeltaYTransformer: Sendable {
    package let name: String
    package let transform: @Sendable (DeltaYParameters) -> Double

    package init(name: String, transform: @escaping @Sendable (DeltaYParameters) -> Double) {
        self.name = name
        self.transform = transform
    }
}

extension DeltaYTransformer {
    /// Subtracts the part of a move that lies above the start of the content.
    ///
    /// As in AirBar, it subtracts the whole previous overshoot on every sample while both offsets are above the start, and
    /// does not trim a move that enters the overshoot (vectors `top.bothAboveWhileNotAtMaximum`,
    /// `top.enteringOverscrollIsNotTrimmed`). The `overscroll` repair avoids both.
    package static let ignoreTop = DeltaYTransformer(name: "ignoreTop") { parameters in
        let start = parameters.geometry.contentInset.top
        guard parameters.previousContentOffset.y < -start || parameters.contentOffset.y < -start else {
            return parameters.deltaY
        }
        return parameters.deltaY + min(0, parameters.previousContentOffset.y + start)
    }

    /// Subtracts the part of a move that lies below the end of the content.
    ///
    /// It has the same flaw as ``ignoreTop`` (vector `bottom.bounceCollapses`).
    package static let ignoreBottom = DeltaYTransformer(name: "ignoreBottom") { parameters in
        let end = parameters.geometry.endY
        guard parameters.previousContentOffset.y > end || parameters.contentOffset.y > end else {
            return parameters.deltaY
        }
        return parameters.deltaY + max(0, parameters.previousContentOffset.y - end)
    }

    /// Keeps the bar between compact and the tallest height that is allowed; always the last stage.
    ///
    /// A difference of 0, such as a sideways scroll, takes the branch of an upward move: a bar that is taller than allowed
    /// closes then. The offset is added and subtracted again, as AirBar does, because the rounding is visible.
    package static let cutOut = DeltaYTransformer(name: "cutOut") { parameters in
        let offset = parameters.state.offset
        if parameters.deltaY > 0 {
            return min(-parameters.configuration.compactStateHeight, offset + parameters.deltaY) - offset
        }
        return max(parameters.state.leastOffset, offset + parameters.deltaY) - offset
    }

    /// Returns the difference of the two offsets at rest; replaces both over-scroll stages.
    package static let ignoreOverscroll = DeltaYTransformer(name: "ignoreOverscroll") { parameters in
        let geometry = parameters.geometry
        return geometry.atRest(parameters.contentOffset.y) - geometry.atRest(parameters.previousContentOffset.y)
    }
}

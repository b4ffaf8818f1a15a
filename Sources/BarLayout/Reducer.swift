/// Turns a pair of content offsets into the next state: the difference, through the stages, added to the bar's offset
/// (AirBar: `makeDefaultStateReducer`).
package struct Reducer: Sendable {
    package let transformers: [DeltaYTransformer]

    package init(transformers: [DeltaYTransformer]) {
        self.transformers = transformers
    }

    /// AirBar's own.
    ///
    /// The first two stages read offsets, not the difference, so their order does not show; that the cut comes last
    /// does.
    package static let airBar = Reducer(transformers: [.ignoreTop, .ignoreBottom, .cutOut])

    /// The one with the `overscroll` repair.
    package static let overscrollRepaired = Reducer(transformers: [.ignoreOverscroll, .cutOut])

    /// The bar's offset after the content has moved; an `explanation` gets the delta before and after each stage.
    func offset(_ parameters: DeltaYParameters, explaining explanation: inout Explanation?) -> Double {
        var parameters = parameters
        parameters.deltaY = parameters.contentOffset.y - parameters.previousContentOffset.y
        guard explanation != nil else {
            // By index: to go over the elements would copy each, name and all.
            for index in transformers.indices { parameters.deltaY = transformers[index].transform(parameters) }
            return parameters.state.offset + parameters.deltaY
        }
        var reduction = Explanation.Reduction(
            previousY: parameters.previousContentOffset.y,
            y: parameters.contentOffset.y,
            deltaY: parameters.deltaY
        )
        for transformer in transformers {
            parameters.deltaY = transformer.transform(parameters)
            reduction.stages.append(.init(name: transformer.name, deltaY: parameters.deltaY))
        }
        explanation?.reductions.append(reduction)
        return parameters.state.offset + parameters.deltaY
    }
}

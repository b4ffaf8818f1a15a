/// A number of the client's that follows the bar: an alpha, a position, a font size.
package struct Track: Sendable, Equatable {
    /// The client's name for it; 1 to 128 characters.
    package let name: String
    package let curve: Curve

    /// The longest name, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    package static let nameLimit = 128

    package init(name: String, curve: Curve) throws(BarLayoutError) {
        guard name.hasLength(upTo: Track.nameLimit) else { throw .length("name", limit: Track.nameLimit) }
        self.name = name
        self.curve = curve
    }

    /// The number for a state.
    package func value(at state: BarState) -> Double {
        switch curve {
        case .ranges(let compactNormal, let normalExpanded):
            state.value(compactNormalRange: compactNormal, normalExpandedRange: normalExpanded)
        case .keyframes(let keyframes):
            keyframes.value(at: state.transitionProgress)
        }
    }

    /// How the number follows.
    package enum Curve: Sendable, Equatable {
        /// AirBar's `value(compactNormalRange:normalExpandedRange:)`.
        case ranges(compactNormal: ValueRange, normalExpanded: ValueRange)
        /// Straight lines between points anywhere on the way.
        case keyframes(Keyframes)
    }
}

/// A kind of place that a picture shows; each has the same share of the library.
enum Subject: String, Sendable, CaseIterable {
    case mountains, dunes, sea, aurora, meadows, forest

    /// The range of the horizon, and the height and the roughness of crests, as fractions of the picture's height.
    var shape: (horizons: ClosedRange<Float>, amplitude: Float, octaves: Int) {
        switch self {
        case .mountains: (0.5...0.66, 0.14, 6)
        case .forest: (0.5...0.66, 0.07, 6)
        case .dunes: (0.46...0.62, 0.07, 1)
        case .meadows: (0.46...0.62, 0.07, 3)
        case .sea: (0.52...0.66, 0.03, 6)
        case .aurora: (0.72...0.84, 0.07, 3)
        }
    }
}

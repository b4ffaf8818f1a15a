/// What a picture shows, free of any size.
///
/// Places are fractions of the picture's width and height; lengths that must not stretch with it (the sun's radius, the
/// width of a mountain) are in units of its shorter side. So one scene is the same picture at 200 and at 2400 pixels.
struct Scene: Sendable {
    /// From the zenith to the horizon.
    var sky: ColorRamp
    /// Where the sky ends, as a fraction of the height.
    var horizon: Float
    var light: Light
    var starCount: Int
    var clouds: Clouds?
    var curtains: [Curtain]
    /// From the farthest to the nearest.
    var ridges: [Ridge]
    var water: Water?
    /// Names the scene's own randomness.
    var seed: UInt64

    /// The sun or the moon, and the glow around it.
    struct Light: Sendable {
        /// Fractions of width and height.
        var x: Float
        var y: Float
        /// In shorter sides; 0 shows the glow alone.
        var radius: Float
        var color: Color
        var glow: Color
        /// How much of the sky's colour the glow takes over at its middle, `0 ... 1`.
        var strength: Float
        /// Where the glow has fallen to a quarter, in shorter sides.
        var reach: Float
    }

    /// A sheet of cloud between two heights.
    struct Clouds: Sendable {
        var color: Color
        /// The share of cloud, `0 ... 1`.
        var density: Float
        /// Fractions of the height.
        var top: Float
        var bottom: Float
        /// Tiles for a shorter side, along and across.
        var frequency: Float
    }

    /// A curtain of the northern lights.
    struct Curtain: Sendable {
        /// The mean height of its lower edge, as a fraction of the height.
        var base: Float
        /// How far up the light reaches, as a fraction of the height.
        var reach: Float
        var low: Color
        var high: Color
        var strength: Float
        var seed: UInt64
    }

    /// A line of land and everything below it.
    struct Ridge: Sendable {
        var shape: Shape
        /// The mean height of its crest, as a fraction of the height.
        var base: Float
        /// How far the crest goes up and down from it, as a fraction of the height.
        var amplitude: Float
        /// Waves for a shorter side.
        var frequency: Float
        /// From the crest down to the next ridge.
        var colors: ColorRamp
        /// How much lighter and darker the two flanks of a wave are, `0 ... 1`.
        var relief: Float
        /// The strength of the grain on its surface, `0 ... 1`.
        var texture: Float
        var seed: UInt64
    }

    /// How a crest runs.
    enum Shape: Sendable {
        case mountains
        case dunes
        case hills
        case forest
    }

    /// Open water from the horizon down.
    struct Water: Sendable {
        /// From the horizon to the shore.
        var colors: ColorRamp
        /// The light's path on it.
        var glitter: Color
        var roughness: Float
    }
}

/// A kind of place that a picture shows; each has the same share of the library.
enum Subject: String, Sendable, CaseIterable {
    case mountains
    case dunes
    case sea
    case aurora
    case meadows
    case forest
}

/// The composition of a picture, independent of the size that it is drawn at.
///
/// Heights are fractions of the picture's height. Lengths that must not stretch with the picture, such as a radius, have
/// its shorter side as their unit.
struct Landscape: Sendable {
    let palette: Palette
    /// The height at which the sky ends, from the top.
    let horizon: Float
    let light: Light
    /// The share of the sky that clouds cover; 0 for none.
    let cloudiness: Float
    let hasStars: Bool
    let curtains: [Curtain]
    /// From the farthest to the nearest.
    let ridges: [Ridge]
    let hasWater: Bool
    let noise: Noise

    /// The sun or the moon, and the glow around it.
    struct Light: Sendable {
        /// Fractions of the width and of the height.
        let x: Float
        let y: Float
        /// In shorter sides; 0 draws the glow alone.
        let radius: Float
        /// The share of the glow at its centre.
        let strength: Float
        /// The distance at which the glow has fallen to a quarter, in shorter sides.
        let reach: Float
    }

    /// A curtain of the northern lights.
    struct Curtain: Sendable {
        /// The mean height of its lower edge.
        let base: Float
        let strength: Float
        let noise: Noise
    }

    /// A line of land and the ground below it.
    struct Ridge: Sendable {
        /// The mean height of its crest, and the greatest distance of the crest from it.
        let base: Float
        let amplitude: Float
        /// Waves for a shorter side.
        let frequency: Float
        /// How many octaves of noise the crest has: more are rougher.
        let octaves: Int
        /// Whether crests are sharp, as those of mountains.
        let isFolded: Bool
        let hasTrees: Bool
        let color: Color
        let noise: Noise
    }

    /// Composes a landscape; `seed` determines everything besides the subject and the palette.
    init(_ subject: Subject, palette: Palette, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let tint = Color(random.float(0.93...1.03), random.float(0.93...1.03), random.float(0.93...1.03))
        let horizon = random.float(subject.shape.horizons)
        let isNight = (palette.zenith * Color(0.3, 0.6, 0.1)).sum() < 0.16
        self.palette = palette.tinted(tint)
        self.horizon = horizon
        noise = Noise(seed: UInt32(truncatingIfNeeded: random.next()))
        light = Light(
            x: random.float(0.2...0.8),
            y: subject == .aurora ? horizon : horizon * random.float(0.35...0.75),
            radius: subject == .aurora || subject == .meadows ? 0 : random.float(0.03...0.07),
            strength: random.float(0.5...0.8),
            reach: random.float(0.16...0.4)
        )
        hasStars = subject == .aurora || isNight
        cloudiness = hasStars || random.chance(30) ? 0 : random.float(0.4...0.6)
        curtains =
            subject == .aurora
            ? (0..<3).map { number in
                Curtain(
                    base: 0.38 + Float(number) * 0.13 + random.float(-0.05...0.05),
                    strength: random.float(0.6...0.9),
                    noise: Noise(seed: UInt32(truncatingIfNeeded: random.next()))
                )
            } : []
        hasWater = subject == .sea
        ridges = Self.ridges(of: subject, self.palette, horizon: horizon, &random)
    }

    /// Returns the ridges from the horizon to the lower edge, each nearer and darker than the one before.
    private static func ridges(
        of subject: Subject,
        _ palette: Palette,
        horizon: Float,
        _ random: inout SeededRandom
    ) -> [Ridge] {
        // A sea has one ridge, the coast behind it; other subjects have several.
        let count = subject == .sea ? 1 : 4 + random.below(2)
        return (0..<count).map { number in
            let nearness = Float(number) / Float(count)
            let isFar = nearness < 0.5
            return Ridge(
                base: subject == .sea ? horizon - 0.015 : horizon - 0.08 + (1.02 - horizon) * nearness,
                amplitude: subject.shape.amplitude * random.float(0.8...1.2),
                frequency: random.float(0.9...1.5) * (subject == .dunes ? 0.8 : 1.1),
                octaves: subject.shape.octaves,
                isFolded: subject == .mountains || subject == .dunes || (isFar && subject != .meadows),
                hasTrees: !isFar && (subject == .forest || subject == .aurora),
                color: palette.far.mixed(with: palette.near, subject == .sea ? 0.3 : nearness * 1.15),
                noise: Noise(seed: UInt32(truncatingIfNeeded: random.next()))
            )
        }
    }
}

extension Subject {
    /// The range of the horizon, and the height and the roughness of crests.
    fileprivate var shape: (horizons: ClosedRange<Float>, amplitude: Float, octaves: Int) {
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

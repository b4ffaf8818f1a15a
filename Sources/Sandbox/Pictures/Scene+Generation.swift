/// What kind of place a picture shows; the share of each in the library is its share of `allCases`.
enum Subject: String, Sendable, CaseIterable {
    case mountains
    case dunes
    case sea
    case aurora
    case meadows
    case forest

    /// The moods that fit the place.
    var palettes: [Palette] {
        switch self {
        case .mountains, .forest: Palette.mountains
        case .dunes: Palette.dunes
        case .sea: Palette.sea
        case .aurora: Palette.aurora
        case .meadows: Palette.meadows
        }
    }
}

extension Scene {
    /// Composes a scene: `seed` decides everything that the subject and the palette leave open.
    init(_ subject: Subject, palette: Palette, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // A little to either side, so that two pictures of one mood are not of one colour.
        let palette = palette.varied(degrees: random.float(-9...9), lightness: random.float(0.96...1.03))
        let horizon = Scene.horizon(of: subject, &random)
        sky = ColorRamp([(0, palette.sky[0]), (0.4, palette.sky[1]), (0.78, palette.sky[2]), (1, palette.sky[3])])
        self.horizon = horizon
        self.seed = seed
        light = Scene.light(of: subject, palette, horizon: horizon, &random)
        let isNight = PerceptualColor(palette.sky[0]).lightness < 0.26
        starCount = subject == .aurora ? 260 : isNight ? 140 : 0
        clouds = Scene.clouds(of: subject, palette, horizon: horizon, isNight: isNight, &random)
        curtains = subject == .aurora ? Scene.curtains(palette, &random) : []
        ridges = Scene.ridges(of: subject, palette, horizon: horizon, &random)
        water = subject == .sea ? Scene.water(palette) : nil
    }

    private static func horizon(of subject: Subject, _ random: inout SeededRandom) -> Float {
        switch subject {
        case .mountains, .forest: random.float(0.62...0.74)
        case .dunes: random.float(0.46...0.6)
        case .sea: random.float(0.52...0.66)
        case .aurora: random.float(0.8...0.9)
        case .meadows: random.float(0.5...0.62)
        }
    }

    private static func light(
        of subject: Subject,
        _ palette: Palette,
        horizon: Float,
        _ random: inout SeededRandom
    ) -> Light {
        let x = random.float(0.2...0.8)
        let glow = palette.light.mixed(with: palette.sky[3], 0.35)
        switch subject {
        case .sea:
            return Light(
                x: x,
                y: horizon - random.float(0.02...0.2),
                radius: random.float(0.035...0.06),
                color: palette.light,
                glow: glow,
                strength: 0.8,
                reach: random.float(0.16...0.3)
            )
        case .aurora:
            return Light(
                x: x,
                y: horizon,
                radius: 0,
                color: palette.light,
                glow: palette.sky[3],
                strength: 0.5,
                reach: 0.5
            )
        case .meadows:
            return Light(
                x: x,
                y: random.float(0.1...0.3),
                radius: 0,
                color: palette.light,
                glow: glow,
                strength: 0.55,
                reach: 0.3
            )
        case .mountains, .dunes, .forest:
            return Light(
                x: x,
                y: horizon * random.float(0.35...0.75),
                radius: random.float(0.028...0.07),
                color: palette.light,
                glow: glow,
                strength: 0.7,
                reach: random.float(0.14...0.26)
            )
        }
    }

    private static func clouds(
        of subject: Subject,
        _ palette: Palette,
        horizon: Float,
        isNight: Bool,
        _ random: inout SeededRandom
    ) -> Clouds? {
        guard subject != .aurora, !isNight, random.chance(subject == .meadows ? 100 : 60) else { return nil }
        let color = subject == .meadows ? Color(0xFFFFFF) : palette.sky[3].mixed(with: palette.light, 0.5)
        return Clouds(
            color: color,
            density: random.float(0.46...0.6),
            top: random.float(0...0.12),
            bottom: horizon * random.float(0.75...0.95),
            frequency: random.float(0.16...0.3)
        )
    }

    private static func curtains(_ palette: Palette, _ random: inout SeededRandom) -> [Curtain] {
        (0..<random.below(2) + 2).map { number in
            Curtain(
                base: 0.42 + Float(number) * 0.12 + random.float(-0.05...0.05),
                reach: random.float(0.2...0.34),
                low: palette.light,
                high: palette.light.varied(degrees: random.float(110...150), lightness: 0.75),
                strength: random.float(0.5...0.8) - Float(number) * 0.1,
                seed: random.next()
            )
        }
    }

    private static func water(_ palette: Palette) -> Water {
        Water(
            colors: ColorRamp([
                (0, palette.far), (0.3, palette.far.mixed(with: palette.near, 0.45)), (1, palette.near),
            ]),
            glitter: palette.light,
            roughness: 0.16
        )
    }

    /// Lays the land from the horizon to the lower edge, each ridge nearer, darker and rougher than the one before.
    private static func ridges(
        of subject: Subject,
        _ palette: Palette,
        horizon: Float,
        _ random: inout SeededRandom
    ) -> [Ridge] {
        let (shapes, first, last, amplitude, frequency) = layout(of: subject, horizon: horizon, &random)
        return shapes.enumerated().map { index, shape in
            let nearness = shapes.count == 1 ? 1 : Float(index) / Float(shapes.count - 1)
            let crest = palette.far.mixed(with: palette.near, nearness)
            // Haze gathers at the foot of what is far away; the nearest ridge has none.
            let haze = crest.mixed(with: palette.sky[3], 0.55 * (1 - nearness))
            return Ridge(
                shape: shape,
                base: first + (last - first) * nearness,
                amplitude: amplitude * random.float(0.8...1.2) * (0.75 + 0.5 * nearness),
                frequency: frequency * random.float(0.85...1.15) * (1.25 - 0.4 * nearness),
                colors: ColorRamp([(0, crest), (1, nearness < 1 ? haze : crest.varied(degrees: 0, lightness: 0.72))]),
                relief: relief(of: shape) * (0.55 + 0.45 * nearness),
                texture: (shape == .dunes ? 0.35 : 0.6) * (0.4 + 0.6 * nearness),
                seed: random.next()
            )
        }
    }

    private static func relief(of shape: Shape) -> Float {
        switch shape {
        case .mountains: 0.1
        case .dunes: 0.16
        case .hills: 0.12
        case .forest: 0.02
        }
    }

    /// The crests' shapes from far to near, the first and the last base, and the size of the waves.
    private static func layout(
        of subject: Subject,
        horizon: Float,
        _ random: inout SeededRandom
    ) -> (shapes: [Shape], first: Float, last: Float, amplitude: Float, frequency: Float) {
        switch subject {
        case .mountains:
            let shapes = [Shape](repeating: .mountains, count: 4 + random.below(3))
            return (shapes, horizon - 0.16, 0.97, 0.13, 1.5)
        case .forest:
            let far: [Shape] = [.mountains, .mountains, .hills]
            return (far + [.forest, .forest, .forest], horizon - 0.12, 1, 0.09, 1.3)
        case .dunes:
            return ([Shape](repeating: .dunes, count: 4 + random.below(2)), horizon, 0.97, 0.075, 1.15)
        case .sea:
            return (random.chance(60) ? [.mountains] : [], horizon - 0.015, horizon - 0.015, 0.035, 1.1)
        case .aurora:
            return ([.mountains, .hills, .forest], horizon - 0.08, 0.98, 0.07, 1.3)
        case .meadows:
            return ([Shape](repeating: .hills, count: 4 + random.below(2)), horizon, 0.93, 0.07, 0.9)
        }
    }
}

extension Palette {
    fileprivate func varied(degrees: Float, lightness: Float) -> Palette {
        var palette = self
        palette.sky = sky.map { $0.varied(degrees: degrees, lightness: lightness) }
        palette.far = far.varied(degrees: degrees, lightness: lightness)
        palette.near = near.varied(degrees: degrees, lightness: lightness)
        return palette
    }
}

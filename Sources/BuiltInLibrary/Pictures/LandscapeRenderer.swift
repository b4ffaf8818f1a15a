import Primitives

/// Draws a landscape row by row: the sky with its lights, then each ridge over it, or water.
///
/// The seed of a photo determines the composition, independently of the size. Heights of crests are fractions of the
/// picture's height; other lengths have its shorter side as their unit.
struct LandscapeRenderer {
    private let size: PictureSize
    private let dithers: Bool
    private let palette: Palette
    /// A factor of all colours, so that pictures of one palette differ.
    private let tint: Color
    private let noise: Noise
    /// The height at which the sky ends, from the top.
    private let horizon: Float
    /// The centre of the sun, the moon or the northern lights, and the radius of its disc; 0 draws the glow alone.
    private let light: SIMD2<Float>
    private let radius: Float
    /// The distance at which the glow has fallen to a quarter.
    private let reach: Float
    private let hasStars: Bool
    private let hasWater: Bool
    /// The northern lights: their lower edges, and their strengths at each column.
    private let curtains: [(edge: Crest, strengths: [Float])]
    /// From the farthest to the nearest.
    private let ridges: [(crest: Crest, color: Color)]

    /// A line across the picture: its row at each column, in fractions of a pixel.
    private struct Crest {
        let rows: [Float]
        let top: Float
        let bottom: Float

        /// Samples a line, given as the height at a picture coordinate.
        init(_ size: PictureSize, height: (Float) -> Float) {
            rows = (0..<size.width).map { (height(size.x($0)) * size.extent.y - size.origin.y) / size.step.y }
            top = rows.min() ?? 0
            bottom = rows.max() ?? 0
        }
    }

    /// Composes the landscape of a photo; without dithering the steps of the colours are visible, and the file is smaller.
    init(_ photo: CataloguePhoto, _ size: PictureSize, dithers: Bool) {
        let (subject, palette) = (photo.subject, photo.palette)
        var random = SeededRandom(seed: photo.landscapeSeed)
        let horizon = random.float(subject.shape.horizons)
        tint = Color(random.float(0.93...1.03), random.float(0.93...1.03), random.float(0.93...1.03))
        noise = Noise(&random)
        let lightY = subject == .aurora ? horizon : horizon * random.float(0.35...0.75)
        light = SIMD2(random.float(0.2...0.8), lightY) * size.extent
        radius = subject == .aurora || subject == .meadows ? 0 : random.float(0.03...0.07)
        reach = random.float(0.16...0.4)
        hasStars = (palette.zenith * Color(0.3, 0.6, 0.1)).sum() < 0.16
        hasWater = subject == .sea
        curtains = (0..<(subject == .aurora ? 3 : 0)).map { number in
            let base = 0.38 + Float(number) * 0.13 + random.float(-0.05...0.05)
            let noise = Noise(&random)
            let edge = Crest(size) { base + (noise.curve($0 * 1.7, octaves: 3) - 0.5) * 0.34 }
            // Slow folds carry fine rays.
            return (edge, (0..<size.width).map { 0.75 * noise.curve(size.x($0) * 8 + 90, octaves: 2) })
        }
        // A sea has one ridge, the coast behind it. Other subjects have several, each nearer and darker than the last.
        let count = hasWater ? 1 : 4 + random.below(2)
        ridges = (0..<count).map { number in
            let nearness = Float(number) / Float(count)
            let isFar = nearness < 0.5
            let base = subject == .sea ? horizon - 0.015 : horizon - 0.08 + (1.02 - horizon) * nearness
            let amplitude = subject.shape.amplitude * random.float(0.8...1.2)
            let frequency = random.float(0.9...1.5) * (subject == .dunes ? 0.8 : 1.1)
            let noise = Noise(&random)
            let isFolded = subject == .mountains || subject == .dunes || (isFar && subject != .meadows)
            let hasTrees = !isFar && (subject == .forest || subject == .aurora)
            let crest = Crest(size) { x in
                let rise = noise.curve(x * frequency, octaves: subject.shape.octaves, isFolded: isFolded) * 2 - 1
                return base - (rise + (hasTrees ? noise.firs(at: x) : 0)) * amplitude
            }
            return (crest, palette.far.mixed(with: palette.near, subject == .sea ? 0.3 : nearness * 1.15))
        }
        (self.size, self.dithers, self.palette, self.horizon) = (size, dithers, palette, horizon)
    }

    /// Draws row `row` as `3 × width` bytes of red, green and blue.
    func draw(row: Int, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        let y = size.y(row)
        // A ridge that fills the whole row hides everything behind it.
        let hiding = ridges.lastIndex { Float(row) >= $0.crest.bottom }
        let isWater = hasWater && y > horizon * size.extent.y
        // A smooth sky would show the steps of its colours. Dithered pixels instead of rows would double the file.
        let rounding = dithers ? Float(row * 3 & 7) / 8 : 0.5
        for column in 0..<size.width {
            let x = size.x(column)
            var color = Color.zero
            if isWater {
                color = water(x, y)
            } else {
                if hiding == nil { color = sky(column, row, x, y) }
                for ridge in ridges[(hiding ?? 0)...] where Float(row + 1) > ridge.crest.top {
                    // The share of the pixel below the crest.
                    let coverage = min(max(Float(row + 1) - ridge.crest.rows[column], 0), 1)
                    // Haze lightens the foot of a ridge.
                    let haze = min((Float(row) - ridge.crest.top) * size.step.y, 0.28)
                    color = color.mixed(with: ridge.color.mixed(with: palette.horizon, haze), coverage)
                }
            }
            color = color * tint * 255 + rounding
            for channel in 0..<3 {
                bytes[3 * column + channel] = UInt8.clamping(Double(color[channel]), to: 0...255)
            }
        }
    }

    private func sky(_ column: Int, _ row: Int, _ x: Float, _ y: Float) -> Color {
        let position = min(y / size.extent.y / horizon, 1)
        let background =
            position < 0.5
            ? palette.zenith.mixed(with: palette.middle, position * 2)
            : palette.middle.mixed(with: palette.horizon, position * 2 - 1)
        let offset = SIMD2(x, y) - light
        let squared = (offset * offset).sum()
        let glow = 1 / (1 + squared / (reach * reach))
        var color = background.mixed(with: palette.light, glow * glow * 0.5)
        if radius > 0 {
            let disc = min(max((radius - squared.squareRoot()) / size.step.x + 0.5, 0), 1)
            color = color.mixed(with: palette.light, disc * 0.94)
        }
        if hasStars { color += Color(repeating: max(0, noise.surface(x * 90, y * 90) - 0.97) * 30 * (1 - position)) }
        for curtain in curtains {
            // Sharp below the edge, long above it.
            let above = (curtain.edge.rows[column] - Float(row)) * size.step.y
            let share = min(max(1 + above * 14, 0), 1) / (1 + max(above, 0) * max(above, 0) * 40)
            color += (Color.one - color) * palette.light * (share * curtain.strengths[column])
        }
        return color
    }

    /// Returns the colour of water, whose waves get closer towards the horizon and reflect the light above them.
    private func water(_ x: Float, _ y: Float) -> Color {
        let depth = (y / size.extent.y - horizon) / (1 - horizon)
        let nearness = 1 / (depth + 0.05)
        let wave = noise.surface(x * 5 * nearness.squareRoot(), nearness * 14)
        let across = (x - light.x) / (0.08 + depth * 0.3)
        let path = 1 / (1 + across * across)
        let spark = min(max((wave - 0.56 + 0.2 * path) * 5, 0), 1) * path * path * 0.85
        let base = palette.far.mixed(with: palette.near, depth.squareRoot()) * (0.98 + wave * 0.04)
        return base.mixed(with: palette.light, spark)
    }
}

import Primitives

/// Draws a landscape row by row: sky, light, clouds and northern lights first, then each ridge over them, then water.
///
/// The seed of a photo determines the composition, which is independent of the size. Heights in it are fractions of the
/// picture's height. Lengths that must not stretch with the picture, such as a radius, have its shorter side as their unit.
///
/// The crests, which depend only on the column, are computed once, and a row below the crest of a ridge starts with
/// that ridge. Edges are anti-aliased by coverage: a crest lies at a fraction of a pixel.
///
/// Colours are dithered before they are rounded to bytes, since a smooth sky would show its steps. The pattern repeats
/// every eight rows and is the same along a row: rows of one colour stay so, which costs deflate 8 % more bytes where a
/// pattern of 8 × 8 pixels costs 70 %.
struct LandscapeRenderer {
    private let viewport: Viewport
    private let dithers: Bool
    private let palette: Palette
    /// The height at which the sky ends, from the top.
    private let horizon: Float
    private let light: Light
    /// The share of the sky that clouds cover; 0 for none.
    private let cloudiness: Float
    private let hasStars: Bool
    private let hasWater: Bool
    private let curtains: [Curtain]
    /// From the farthest to the nearest.
    private let ridges: [Ridge]
    private let noise: Noise

    /// The sun or the moon, and the glow around it.
    private struct Light {
        /// Fractions of the width and of the height.
        let x: Float
        let y: Float
        /// 0 draws the glow alone.
        let radius: Float
        /// The share of the glow at its centre.
        let strength: Float
        /// The distance at which the glow has fallen to a quarter.
        let reach: Float
    }

    /// A curtain of the northern lights: its lower edge, and its strength at each column.
    private struct Curtain {
        let edge: Crest
        let strengths: [Float]
    }

    /// A line of land and the ground below it.
    private struct Ridge {
        /// The mean height of its crest, and the greatest distance of the crest from it.
        let base: Float
        let amplitude: Float
        let color: Color
        let noise: Noise
        let crest: Crest
    }

    /// A line across the picture: its row at each column, in fractions of a pixel.
    private struct Crest {
        let rows: [Float]
        /// The least and the greatest of `rows`.
        let top: Float
        let bottom: Float

        /// Samples a line, given as the height at a picture coordinate.
        init(_ viewport: Viewport, height: (Float) -> Float) {
            rows = (0..<viewport.width).map { viewport.row(ofY: height(viewport.x($0)) * viewport.extentY) }
            top = rows.min() ?? 0
            bottom = rows.max() ?? 0
        }
    }

    /// Composes the landscape of a photo; without dithering the steps of the colours are visible, and the file is smaller.
    init(_ photo: CataloguePhoto, _ size: PictureSize, dithers: Bool) {
        let viewport = Viewport(size, aspectRatio: photo.aspectRatio)
        let subject = photo.subject
        var random = SeededRandom(seed: photo.landscapeSeed)
        let tint = Color(random.float(0.93...1.03), random.float(0.93...1.03), random.float(0.93...1.03))
        let horizon = random.float(subject.shape.horizons)
        let isNight = (photo.palette.zenith * Color(0.3, 0.6, 0.1)).sum() < 0.16
        let palette = photo.palette.tinted(tint)
        noise = Noise(&random)
        light = Light(
            x: random.float(0.2...0.8),
            y: subject == .aurora ? horizon : horizon * random.float(0.35...0.75),
            radius: subject == .aurora || subject == .meadows ? 0 : random.float(0.03...0.07),
            strength: random.float(0.5...0.8),
            reach: random.float(0.16...0.4)
        )
        hasStars = subject == .aurora || isNight
        cloudiness = hasStars || random.chance(30) ? 0 : random.float(0.4...0.6)
        curtains = (0..<(subject == .aurora ? 3 : 0)).map { number in
            let base = 0.38 + Float(number) * 0.13 + random.float(-0.05...0.05)
            let strength = random.float(0.6...0.9)
            let noise = Noise(&random)
            return Curtain(
                edge: Crest(viewport) { base + (noise.curve($0 * 1.7, octaves: 3) - 0.5) * 0.34 },
                // Slow folds carry fine rays.
                strengths: (0..<viewport.width).map { strength * noise.curve(viewport.x($0) * 8 + 90, octaves: 2) }
            )
        }
        hasWater = subject == .sea
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
            let crest = Crest(viewport) { x in
                var rise = noise.curve(x * frequency, octaves: subject.shape.octaves, isFolded: isFolded) * 2 - 1
                if hasTrees { rise += noise.firs(at: x) }
                return base - rise * amplitude
            }
            let color = palette.far.mixed(with: palette.near, subject == .sea ? 0.3 : nearness * 1.15)
            return Ridge(base: base, amplitude: amplitude, color: color, noise: noise, crest: crest)
        }
        self.viewport = viewport
        self.dithers = dithers
        self.palette = palette
        self.horizon = horizon
    }

    /// Draws row `row` as `3 × width` bytes of red, green and blue.
    func draw(row: Int, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        var colors = [Color](repeating: .zero, count: viewport.width)
        let y = viewport.y(row)
        if hasWater, y > horizon * viewport.extentY {
            drawWater(y, &colors)
        } else {
            // A ridge that fills the whole row hides everything behind it.
            let hiding = ridges.lastIndex { Float(row) >= $0.crest.bottom }
            if hiding == nil { drawSky(row: row, y, &colors) }
            for ridge in ridges[(hiding ?? 0)...] where Float(row + 1) > ridge.crest.top {
                draw(ridge, bottom: Float(row + 1), y, &colors)
            }
        }
        // Adding 2^23 to a float rounds it to a whole number, which is then in the lower bits.
        let rounding = 0x1p23 + (dithers ? Self.offsets[row & 7] : 0)
        for (column, color) in colors.enumerated() {
            let levels = color.clamped(lowerBound: .zero, upperBound: .one) * 255 + rounding
            bytes[3 * column] = UInt8(truncatingIfNeeded: levels.x.bitPattern)
            bytes[3 * column + 1] = UInt8(truncatingIfNeeded: levels.y.bitPattern)
            bytes[3 * column + 2] = UInt8(truncatingIfNeeded: levels.z.bitPattern)
        }
    }

    /// The offsets before rounding, of eight rows, in an order that keeps neighbours apart.
    private static let offsets: [Float] = [0, 4, 2, 6, 1, 5, 3, 7].map { ($0 - 3.5) / 8 }

    private func surface(_ noise: Noise, y: Float, frequency: Float, octaves: Int = 1) -> [Float] {
        let (start, step) = (viewport.x(0) * frequency, viewport.stepX * frequency)
        return noise.row(y: y, from: start, step: step, columns: viewport.width, octaves: octaves)
    }

    private func drawSky(row: Int, _ y: Float, _ colors: inout [Color]) {
        let position = min(y / viewport.extentY / horizon, 1)
        let background =
            position < 0.5
            ? palette.zenith.mixed(with: palette.middle, position * 2)
            : palette.middle.mixed(with: palette.horizon, position * 2 - 1)
        let glow = palette.light.mixed(with: palette.horizon, 0.35)
        let (dy, narrowness) = (y - light.y * viewport.extentY, 1 / (light.reach * light.reach))
        for column in colors.indices {
            let dx = viewport.x(column) - light.x * viewport.extentX
            let squared = dx * dx + dy * dy
            let falloff = 1 / (1 + squared * narrowness)
            let disc = min(max((light.radius - squared.squareRoot()) / viewport.stepX + 0.5, 0), 1)
            colors[column] = background.mixed(with: glow, falloff * falloff * light.strength)
            if light.radius > 0 { colors[column] = colors[column].mixed(with: palette.light, disc * 0.94) }
        }
        if hasStars {
            for column in colors.indices { colors[column] += star(viewport.x(column), y) }
        }
        if cloudiness > 0 {
            let cloud = palette.horizon.mixed(with: palette.light, 0.6)
            // Flattened, as a sheet of clouds is when it is seen from below.
            for (column, value) in surface(noise, y: y * 7, frequency: 2.2, octaves: 3).enumerated() {
                let share = min(max((value - 1 + cloudiness) * 3, 0), 1)
                colors[column] = colors[column].mixed(with: cloud, share * share * 0.85)
            }
        }
        for curtain in curtains {
            for column in colors.indices {
                // Sharp below the edge, long above it.
                let above = (curtain.edge.rows[column] - Float(row)) * viewport.stepY
                let share = min(max(1 + above * 14, 0), 1) / (1 + max(above, 0) * max(above, 0) * 40)
                colors[column] += (Color.one - colors[column]) * palette.light * (share * curtain.strengths[column])
            }
        }
    }

    /// The light of the star at a point, if there is one: at most one in each cell of a grid.
    private func star(_ x: Float, _ y: Float) -> Color {
        let cells: Float = 24
        let (left, top) = ((x * cells).rounded(.down), (y * cells).rounded(.down))
        let (column, row) = (Int32.clamping(Double(left)), Int32.clamping(Double(top)))
        let size = noise.corner(column, row)
        let (dx, dy) = (
            x * cells - left - 0.2 - 0.6 * noise.corner(column, ~row),
            y * cells - top - 0.2 - 0.6 * noise.corner(~column, row)
        )
        let distance = (dx * dx + dy * dy).squareRoot() / cells
        let radius = 0.0005 + 0.0013 * size * size
        // A star smaller than a pixel is drawn as one of less light.
        let drawn = max(radius, viewport.stepX * 0.7)
        let coverage = min(max((drawn - distance) / viewport.stepX + 0.5, 0), 1)
        return Color(repeating: coverage * size * (radius * radius) / (drawn * drawn))
    }

    private func draw(_ ridge: Ridge, bottom: Float, _ y: Float, _ colors: inout [Color]) {
        let depth = min(max((y / viewport.extentY - ridge.base + ridge.amplitude) * 3, 0), 1)
        // Haze lightens the foot of a ridge.
        let ground = ridge.color.mixed(with: palette.horizon, 0.28 * depth)
        for (column, texture) in surface(ridge.noise, y: y * 44, frequency: 32).enumerated() {
            let coverage = min(max(bottom - ridge.crest.rows[column], 0), 1)
            colors[column] = colors[column].mixed(with: ground * (0.965 + texture * 0.07), coverage)
        }
    }

    /// Draws water, whose waves get closer towards the horizon and reflect the light above them.
    private func drawWater(_ y: Float, _ colors: inout [Color]) {
        let depth = (y / viewport.extentY - horizon) / (1 - horizon)
        let nearness = 1 / (depth + 0.05)
        let base = palette.far.mixed(with: palette.near, depth.squareRoot())
        let waves = surface(noise, y: nearness * 14, frequency: 5 * nearness.squareRoot())
        for (column, wave) in waves.enumerated() {
            let across = (viewport.x(column) - light.x * viewport.extentX) / (0.08 + depth * 0.3)
            let path = 1 / (1 + across * across)
            let spark = min(max((wave - 0.56 + 0.2 * path) * 5, 0), 1) * path * path * 0.85
            colors[column] = (base * (0.98 + wave * 0.04)).mixed(with: palette.light, spark)
        }
    }
}

import Primitives

/// Draws a landscape row by row: sky, light, clouds and northern lights first, then each ridge over them, then water.
///
/// The crests, which depend only on the column, are computed once, and a row below the crest of a ridge starts with
/// that ridge. Edges are anti-aliased by coverage: a crest lies at a fraction of a pixel.
///
/// Colours are dithered before they are rounded to bytes, since a smooth sky would show its steps. The pattern repeats
/// every eight rows and is the same along a row: rows of one colour stay so, which costs deflate 8 % more bytes where a
/// pattern of 8 × 8 pixels costs 70 %.
struct LandscapeRenderer {
    private let landscape: Landscape
    private let viewport: Viewport
    private let dithers: Bool
    private let ridges: [(shape: Landscape.Ridge, crest: Crest)]
    private let curtains: [(crest: Crest, strengths: [Float])]

    /// A line across the picture: its row at each column, in fractions of a pixel.
    private struct Crest {
        let rows: [Float]
        /// The least and the greatest of `rows`.
        let top: Float
        let bottom: Float

        /// Samples a line, given as the height at a picture coordinate in fractions of the picture's height.
        init(_ viewport: Viewport, height: (Float) -> Float) {
            rows = (0..<viewport.width).map { viewport.row(ofY: height(viewport.x($0)) * viewport.extentY) }
            top = rows.min() ?? 0
            bottom = rows.max() ?? 0
        }
    }

    /// Prepares to draw a photo; without dithering the steps of the colours are visible, and the file is smaller.
    init(_ photo: CataloguePhoto, _ size: PictureSize, dithers: Bool) {
        let viewport = Viewport(size, aspectRatio: photo.aspectRatio)
        let landscape = photo.landscape
        self.landscape = landscape
        self.viewport = viewport
        self.dithers = dithers
        ridges = landscape.ridges.map { ($0, Crest(viewport, height: $0.crest(at:))) }
        curtains = landscape.curtains.map { curtain in
            let crest = Crest(viewport) { curtain.base + (curtain.noise.curve($0 * 1.7, octaves: 3) - 0.5) * 0.34 }
            // Slow folds carry fine rays.
            let strengths = (0..<viewport.width).map { column in
                curtain.strength * curtain.noise.curve(viewport.x(column) * 8 + 90, octaves: 2)
            }
            return (crest, strengths)
        }
    }

    /// Draws row `row` as `3 × width` bytes of red, green and blue.
    func draw(row: Int, into bytes: UnsafeMutableBufferPointer<UInt8>) {
        var colors = [Color](repeating: .zero, count: viewport.width)
        let y = viewport.y(row)
        if landscape.hasWater, y > landscape.horizon * viewport.extentY {
            drawWater(y, &colors)
        } else {
            // A ridge that fills the whole row hides everything behind it.
            let hiding = ridges.lastIndex { Float(row) >= $0.crest.bottom }
            if hiding == nil { drawSky(row: row, y, &colors) }
            for ridge in ridges[(hiding ?? 0)...] where Float(row + 1) > ridge.crest.top {
                draw(ridge.shape, ridge.crest, bottom: Float(row + 1), y, &colors)
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

    private func noise(_ noise: Noise, y: Float, frequency: Float, octaves: Int = 1) -> [Float] {
        noise.row(
            y: y,
            from: viewport.x(0) * frequency,
            step: viewport.stepX * frequency,
            columns: viewport.width,
            octaves: octaves
        )
    }

    private func drawSky(row: Int, _ y: Float, _ colors: inout [Color]) {
        let (light, palette) = (landscape.light, landscape.palette)
        let position = min(y / viewport.extentY / landscape.horizon, 1)
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
        if landscape.hasStars {
            for column in colors.indices { colors[column] += star(viewport.x(column), y) }
        }
        if landscape.cloudiness > 0 {
            let cloud = palette.horizon.mixed(with: palette.light, 0.6)
            // Flattened, as a sheet of clouds is when it is seen from below.
            for (column, value) in noise(landscape.noise, y: y * 7, frequency: 2.2, octaves: 3).enumerated() {
                let share = min(max((value - 1 + landscape.cloudiness) * 3, 0), 1)
                colors[column] = colors[column].mixed(with: cloud, share * share * 0.85)
            }
        }
        for (crest, strengths) in curtains {
            for column in colors.indices {
                // Sharp below the edge, long above it.
                let above = (crest.rows[column] - Float(row)) * viewport.stepY
                let share = min(max(1 + above * 14, 0), 1) / (1 + max(above, 0) * max(above, 0) * 40)
                colors[column] += (Color.one - colors[column]) * palette.light * (share * strengths[column])
            }
        }
    }

    /// The light of the star at a point, if there is one: at most one in each cell of a grid.
    private func star(_ x: Float, _ y: Float) -> Color {
        let cells: Float = 24
        let (left, top) = ((x * cells).rounded(.down), (y * cells).rounded(.down))
        let (column, row) = (Int32.clamping(left), Int32.clamping(top))
        let size = landscape.noise.corner(column, row)
        let (dx, dy) = (
            x * cells - left - 0.2 - 0.6 * landscape.noise.corner(column, ~row),
            y * cells - top - 0.2 - 0.6 * landscape.noise.corner(~column, row)
        )
        let distance = (dx * dx + dy * dy).squareRoot() / cells
        let radius = 0.0005 + 0.0013 * size * size
        // A star smaller than a pixel is drawn as one of less light.
        let drawn = max(radius, viewport.stepX * 0.7)
        let coverage = min(max((drawn - distance) / viewport.stepX + 0.5, 0), 1)
        return Color(repeating: coverage * size * (radius * radius) / (drawn * drawn))
    }

    private func draw(_ ridge: Landscape.Ridge, _ crest: Crest, bottom: Float, _ y: Float, _ colors: inout [Color]) {
        let depth = min(max((y / viewport.extentY - ridge.base + ridge.amplitude) * 3, 0), 1)
        // Haze lightens the foot of a ridge.
        let ground = ridge.color.mixed(with: landscape.palette.horizon, 0.28 * depth)
        for (column, texture) in noise(ridge.noise, y: y * 44, frequency: 32).enumerated() {
            let coverage = min(max(bottom - crest.rows[column], 0), 1)
            colors[column] = colors[column].mixed(with: ground * (0.965 + texture * 0.07), coverage)
        }
    }

    /// Draws water, whose waves get closer towards the horizon and reflect the light above them.
    private func drawWater(_ y: Float, _ colors: inout [Color]) {
        let palette = landscape.palette
        let depth = (y / viewport.extentY - landscape.horizon) / (1 - landscape.horizon)
        let nearness = 1 / (depth + 0.05)
        let base = palette.far.mixed(with: palette.near, depth.squareRoot())
        let waves = noise(landscape.noise, y: nearness * 14, frequency: 5 * nearness.squareRoot())
        for (column, wave) in waves.enumerated() {
            let across = (viewport.x(column) - landscape.light.x * viewport.extentX) / (0.08 + depth * 0.3)
            let path = 1 / (1 + across * across)
            let spark = min(max((wave - 0.56 + 0.2 * path) * 5, 0), 1) * path * path * 0.85
            colors[column] = (base * (0.98 + wave * 0.04)).mixed(with: palette.light, spark)
        }
    }
}

extension Landscape.Ridge {
    /// The height of the crest at picture coordinate `x`.
    fileprivate func crest(at x: Float) -> Float {
        var rise = noise.curve(x * frequency, octaves: octaves, isFolded: isFolded) * 2 - 1
        if hasTrees {
            // Two rows of firs of random heights, half a tree apart.
            for row in 0..<2 {
                let position = x * 24 + Float(row) / 2
                let cell = position.rounded(.down)
                let size = noise.corner(Int32.clamping(cell), 1000 + Int32(truncatingIfNeeded: row))
                rise = max(rise, rise + (0.3 + 0.7 * size) * (1 - 2 * abs(position - cell - 0.5)))
            }
        }
        return base - rise * amplitude
    }
}

import Primitives

/// A star, as a small soft disc.
struct Star: Sendable {
    /// In pixels.
    var column: Float
    var row: Float
    var radius: Float
    var brightness: Float

    /// The stars of a scene, from the top down.
    static func sky(of scene: Scene, in viewport: Viewport) -> [Star] {
        var random = SeededRandom(seed: scene.seed ^ 0x57A2)
        let unit = 1 / viewport.stepX
        return (0..<scene.starCount).map { _ in
            let x = random.unit() * viewport.extentX
            let y = random.unit() * random.unit() * scene.horizon * viewport.extentY
            let size = random.unit()
            let radius = unit * (0.0007 + 0.0012 * size * size * size)
            // Below this a disc falls between the pixels; a star that is drawn larger than it is gives as much less light.
            let drawn = max(radius, 0.7)
            return Star(
                column: viewport.column(ofX: x),
                row: viewport.row(ofY: y),
                radius: drawn,
                brightness: (0.25 + 0.75 * random.unit() * size) * (radius / drawn) * (radius / drawn).squareRoot()
            )
        }
        .sorted { $0.row < $1.row }
    }
}

/// A curtain's lower edge and strength for each column.
struct CurtainLine: Sendable {
    let curtain: Scene.Curtain
    /// Rows, in fractions of a pixel.
    let edges: [Float]
    let strengths: [Float]

    init(_ curtain: Scene.Curtain, in viewport: Viewport) {
        self.curtain = curtain
        let noise = LineNoise(seed: curtain.seed)
        let columns = 0..<viewport.width
        edges = columns.map { column in
            let fold = noise.fractal(viewport.x(column) * 1.7, octaves: 3, roughness: 0.45) - 0.5
            return viewport.row(ofY: (curtain.base + fold * 0.34) * viewport.extentY)
        }
        strengths = columns.map { column in
            // Slow folds carry fine rays.
            let x = viewport.x(column)
            let fold = noise.value(x * 2.3 + 40)
            let rays = noise.fractal(x * 26 + 90, octaves: 2, roughness: 0.6)
            return curtain.strength * fold * (0.45 + 0.9 * rays)
        }
    }
}

extension PictureRenderer {
    func drawSky(row: Int) {
        let y = viewport.y(row)
        let color = scene.sky.color(at: y / (scene.horizon * viewport.extentY))
        for column in 0..<viewport.width {
            red[column] = color.red
            green[column] = color.green
            blue[column] = color.blue
        }
        drawStars(row: row)
        drawLight(y: y)
        drawClouds(y: y / viewport.extentY)
        for curtain in curtains { draw(curtain, row: row) }
    }

    private func drawLight(y: Float) {
        let light = scene.light
        let (centreX, centreY) = (light.x * viewport.extentX, light.y * viewport.extentY)
        let rise = (y - centreY) * (y - centreY)
        // A quarter at `reach` from 1 / (1 + d²)².
        let wide = 1 / (light.reach * light.reach)
        let (glow, strength) = (light.glow, light.strength)
        var run = viewport.x(0) - centreX
        for column in 0..<viewport.width {
            let soft = 1 / (1 + (run * run + rise) * wide)
            let share = soft * soft * strength
            red[column] += (glow.red - red[column]) * share
            green[column] += (glow.green - green[column]) * share
            blue[column] += (glow.blue - blue[column]) * share
            run += viewport.stepX
        }
        guard light.radius > 0, rise < (light.radius + viewport.stepX) * (light.radius + viewport.stepX) else { return }
        // Near the rim (R² - d²) / 2R is the distance to it, without a root.
        let pixel = 1 / (2 * light.radius * viewport.stepX)
        run = viewport.x(0) - centreX
        for column in 0..<viewport.width {
            let inside = (light.radius * light.radius - run * run - rise) * pixel + 0.5
            let share = min(max(inside, 0), 1) * 0.94
            red[column] += (light.color.red - red[column]) * share
            green[column] += (light.color.green - green[column]) * share
            blue[column] += (light.color.blue - blue[column]) * share
            run += viewport.stepX
        }
    }

    private func drawClouds(y: Float) {
        guard let clouds = scene.clouds, y > clouds.top, y < clouds.bottom else { return }
        let middle = (clouds.top + clouds.bottom) / 2
        let half = (clouds.bottom - clouds.top) / 2
        let fromMiddle = (y - middle) / half
        let fade = (1 - fromMiddle * fromMiddle) * 0.85
        let side = Float(NoiseTile.side)
        // Flattened, as a sheet seen from below; more so towards the horizon.
        let drift = Float(scene.seed % 97)
        loadGrain(at: y * viewport.extentY * clouds.frequency * side * 2.6 + drift)
        let step = viewport.stepX * clouds.frequency * side
        var u = viewport.x(0) * clouds.frequency * side + drift * 1.3
        let (threshold, color) = (1 - clouds.density, clouds.color)
        for column in 0..<viewport.width {
            let cloud = min(max((grain(at: u) - threshold) * 3.4, 0), 1)
            let share = cloud * cloud * (3 - 2 * cloud) * fade
            red[column] += (color.red - red[column]) * share
            green[column] += (color.green - green[column]) * share
            blue[column] += (color.blue - blue[column]) * share
            u += step
        }
    }

    private func draw(_ line: CurtainLine, row: Int) {
        let (low, high) = (line.curtain.low, line.curtain.high)
        let scale = viewport.stepY / (line.curtain.reach * viewport.extentY)
        line.edges.withUnsafeBufferPointer { edges in
            line.strengths.withUnsafeBufferPointer { strengths in
                for column in 0..<viewport.width {
                    let up = (edges[column] - Float(row)) * scale
                    // Sharp below, long above.
                    let below = min(max(1 + up * 14, 0), 1)
                    let above = max(up, 0)
                    let light = below * below / (1 + above * above * 7) * strengths[column]
                    let blend = min(above * 1.1, 1)
                    let share = light * (1 - min(above * 0.55, 1))
                    // Light adds to light: a screen, not a mix.
                    red[column] += (1 - red[column]) * share * (low.red + (high.red - low.red) * blend)
                    green[column] += (1 - green[column]) * share * (low.green + (high.green - low.green) * blend)
                    blue[column] += (1 - blue[column]) * share * (low.blue + (high.blue - low.blue) * blend)
                }
            }
        }
    }

    private func drawStars(row: Int) {
        let centre = Float(row) + 0.5
        for star in stars where abs(star.row - centre) < star.radius + 1 {
            let from = Int.clamping(star.column - star.radius - 1, to: 0...viewport.width)
            let to = Int.clamping(star.column + star.radius + 2, to: 0...viewport.width)
            guard from < to else { continue }
            for column in from..<to {
                let (dx, dy) = (Float(column) + 0.5 - star.column, centre - star.row)
                let distance = (dx * dx + dy * dy).squareRoot()
                let share = min(max(star.radius + 0.5 - distance, 0), 1) * star.brightness
                red[column] += (1 - red[column]) * share
                green[column] += (0.98 - green[column]) * share
                blue[column] += (0.94 - blue[column]) * share
            }
        }
    }
}

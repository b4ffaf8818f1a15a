import Primitives

/// A ridge's crest for each column of a picture.
struct RidgeLine: Sendable {
    let ridge: Scene.Ridge
    /// Rows, in fractions of a pixel, at the middle of each column.
    let crests: [Float]
    /// The same a third of a column to the left and to the right, where a crest is too steep for one sample to smooth
    /// it; empty elsewhere.
    let sides: [Float]
    /// How much a column's flank turns to the light, in `-1 ... 1`.
    let facing: [Float]
    /// The first row that any part of the ridge touches, and the first that all of it fills.
    let highest: Float
    let lowest: Float
    /// Where its colours begin and end, as fractions of the picture's height.
    let top: Float
    let bottom: Float

    static func lines(of scene: Scene, in viewport: Viewport) -> [RidgeLine] {
        scene.ridges.indices.map { index in
            let ridge = scene.ridges[index]
            let next = index + 1 < scene.ridges.count ? scene.ridges[index + 1] : nil
            return RidgeLine(ridge, bottom: next.map { $0.base + $0.amplitude } ?? 1.02, light: scene.light, viewport)
        }
    }

    private init(_ ridge: Scene.Ridge, bottom: Float, light: Scene.Light, _ viewport: Viewport) {
        self.ridge = ridge
        top = ridge.base - ridge.amplitude
        self.bottom = max(bottom, top + 0.05)
        let noise = LineNoise(seed: ridge.seed)
        let crest = { (x: Float) in
            viewport.row(ofY: (ridge.base - ridge.height(at: x, noise) * ridge.amplitude) * viewport.extentY)
        }
        crests = (0..<viewport.width).map { crest(viewport.x($0)) }
        let third = viewport.stepX / 3
        sides =
            ridge.shape == .forest
            ? (0..<viewport.width).flatMap { [crest(viewport.x($0) - third), crest(viewport.x($0) + third)] } : []
        // A flank is as wide as an eighth of a wave: the slope of every notch would hang from the crest as a stripe.
        let reach = 0.0625 / ridge.frequency
        let rise = ridge.amplitude * viewport.extentY / (2 * reach)
        let lightX = light.x * viewport.extentX
        facing = crests.indices.map { column in
            let x = viewport.x(column)
            let slope = (ridge.swell(at: x + reach, noise) - ridge.swell(at: x - reach, noise)) * rise
            // A flank that rises to the right looks to the left.
            let side = min(max((lightX - x) * 4, -1), 1)
            return -min(max(slope * 1.2, -1), 1) * side
        }
        // A picture has at least one column.
        highest = min(crests.min() ?? 0, sides.min() ?? .infinity)
        lowest = max(crests.max() ?? 0, sides.max() ?? -.infinity)
    }
}

extension Scene.Ridge {
    /// The crest's height at `x`, in amplitudes above the base.
    fileprivate func height(at x: Float, _ noise: LineNoise) -> Float {
        let u = x * frequency
        switch shape {
        case .mountains:
            return noise.ridged(u, octaves: 7, roughness: 0.47) * 2.2 - 1.1
        case .hills:
            return noise.fractal(u, octaves: 3, roughness: 0.35) * 2 - 1
        case .dunes:
            return swell(at: x, noise)
        case .forest:
            return noise.fractal(u, octaves: 3, roughness: 0.4) * 2 - 1 + trees(at: x, noise)
        }
    }

    /// The large waves alone, without notches and trees.
    fileprivate func swell(at x: Float, _ noise: LineNoise) -> Float {
        let u = x * frequency
        switch shape {
        case .mountains:
            return noise.ridged(u, octaves: 2, roughness: 0.47) * 2.2 - 1.1
        case .hills, .forest:
            return noise.fractal(u, octaves: 2, roughness: 0.35) * 2 - 1
        case .dunes:
            // Wind piles sand slowly on one side and lets it slide on the other: a wave that leans over, to a crest.
            let lean = noise.value(u + 0.45 * noise.value(u * 0.5 + 31))
            return 1 - 2.6 * abs(lean - 0.5) + 0.35 * (noise.value(u * 0.7 + 7) - 0.5)
        }
    }

    /// The outline of firs on the crest: narrow at the tip, with steps for the branches.
    private func trees(at x: Float, _ noise: LineNoise) -> Float {
        let density: Float = 26 / (0.4 + frequency * 0.5)
        var tallest: Float = 0
        // Two rows of trees, half a place apart.
        for row in 0..<2 {
            let place = x * density + Float(row) * 0.5
            let cell = place.rounded(.down)
            let size = noise.height(Int.clamping(cell) &+ row &* 7919)
            let offset = abs(place - cell - 0.5 - (size - 0.5) * 0.3) * 2
            let height = (0.3 + 0.7 * size) * (1 - offset * (1 + 0.4 * size))
            let branches = height * 8
            let step = (branches - branches.rounded(.down)) * 0.07
            tallest = max(tallest, height - step)
        }
        return max(tallest, 0) * 1.1
    }
}

extension PictureRenderer {
    func draw(ridge index: Int, row: Int) {
        let line = crests[index]
        let y = viewport.y(row) / viewport.extentY
        let color = line.ridge.colors.color(at: (y - line.top) / (line.bottom - line.top))
        let relief = line.ridge.relief
        // Relief is strongest under the crest and gone a fifth of a shorter side below it.
        let fade = viewport.stepY * 11
        let side = Float(NoiseTile.side)
        let texture = line.ridge.texture * 0.11
        let offset = Float(line.ridge.seed % 89)
        loadGrain(at: y * viewport.extentY * side * 1.1 + offset)
        // Slanted, as strata are.
        let step = viewport.stepX * side * 0.6
        var u = viewport.x(0) * side * 0.6 + y * side * 0.8 + offset
        let bottom = Float(row + 1)
        cover(with: line, bottom: bottom)
        line.crests.withUnsafeBufferPointer { crests in
            line.facing.withUnsafeBufferPointer { facing in
                for column in 0..<viewport.width {
                    let depth = bottom - crests[column]
                    let share = coverage[column]
                    let near = 1 / (1 + max(depth, 0) * fade)
                    let light = 1 + facing[column] * relief * near * 2 + (grain(at: u) - 0.5) * texture
                    red[column] += (color.red * light - red[column]) * share
                    green[column] += (color.green * light - green[column]) * share
                    blue[column] += (color.blue * light - blue[column]) * share
                    u += step
                }
            }
        }
    }

    /// Says how much of each pixel of the row that ends at `bottom` lies below a crest.
    private func cover(with line: RidgeLine, bottom: Float) {
        for column in 0..<viewport.width { coverage[column] = min(max(bottom - line.crests[column], 0), 1) }
        guard !line.sides.isEmpty else { return }
        for column in 0..<viewport.width {
            let left = min(max(bottom - line.sides[2 * column], 0), 1)
            let right = min(max(bottom - line.sides[2 * column + 1], 0), 1)
            coverage[column] = (coverage[column] + left + right) / 3
        }
    }

    /// Waves get closer and flatter towards the horizon; under the light they catch it.
    func draw(_ water: Scene.Water, row: Int, share: Float) {
        let y = viewport.y(row) / viewport.extentY
        let depth = max((y - scene.horizon) / (1 - scene.horizon), 0)
        let color = water.colors.color(at: depth)
        let distance = 1 / (depth + 0.045)
        let side = Float(NoiseTile.side)
        loadGrain(at: distance * side * 1.1 + Float(scene.seed % 61))
        let frequency = side * 0.055 * distance.squareRoot()
        let swell = water.roughness * (0.25 + 0.75 * depth)
        let light = scene.light
        let centre = light.x * viewport.extentX
        let width = 1 / (light.radius * 1.1 + depth * 0.3)
        let step = viewport.stepX * frequency
        var run = viewport.x(0) - centre
        // Far enough to the right for a sample never to be negative.
        var u = (run + 8) * frequency
        let glitter = water.glitter
        for column in 0..<viewport.width {
            let wave = grain(at: u)
            let across = run * width
            let path = 1 / (1 + across * across)
            let spark = min(max((wave - 0.56 + 0.2 * path) * 5, 0), 1) * path * path * 0.85
            let shade = 1 + (wave - 0.5) * swell
            let (r, g, b) = (color.red * shade, color.green * shade, color.blue * shade)
            red[column] += (r + (glitter.red - r) * spark - red[column]) * share
            green[column] += (g + (glitter.green - g) * spark - green[column]) * share
            blue[column] += (b + (glitter.blue - b) * spark - blue[column]) * share
            run += viewport.stepX
            u += step
        }
    }
}

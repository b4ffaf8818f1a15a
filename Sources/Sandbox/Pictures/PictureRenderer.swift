import Primitives

/// Draws a scene row by row.
///
/// A picture is painted like a stage set, from the back to the front: sky, light, clouds, curtains, stars, then each
/// ridge, then the water. Two things make it fast enough to draw pictures while a client waits. What depends on the
/// column alone (the crests) is computed once, and what depends on the row alone (the colours of sky, land and water,
/// the line of the noise tile) once a row, so that a pixel costs a few multiplications without a branch. And a row that
/// lies wholly behind a ridge starts with that ridge.
///
/// Edges are anti-aliased by coverage: a crest lies at a fraction of a pixel. Colours are dithered before they are rounded
/// to bytes, since a sky of 800 rows and 40 levels would show its steps: by row alone, in a pattern of eight rows. That
/// serves a picture whose colours change mostly downwards, and rows of one colour stay so: it costs deflate 8 % more
/// bytes, where an 8 × 8 pattern costs 70 %.
final class PictureRenderer {
    let viewport: Viewport
    let scene: Scene
    /// The row under work, in `0 ... 1`.
    let red: UnsafeMutablePointer<Float>
    let green: UnsafeMutablePointer<Float>
    let blue: UnsafeMutablePointer<Float>
    /// How much of each pixel the ridge under work covers, in `0 ... 1`.
    let coverage: UnsafeMutablePointer<Float>
    /// A line of the noise tile, one longer than the tile so that a sample never wraps inside.
    let grain: UnsafeMutablePointer<Float>
    let crests: [RidgeLine]
    let curtains: [CurtainLine]
    let stars: [Star]
    private let dithers: Bool

    /// Prepares to draw; without dithering the steps of the colours stay visible, and the file gets smaller.
    init(_ scene: Scene, _ viewport: Viewport, dithers: Bool = true) {
        self.scene = scene
        self.viewport = viewport
        self.dithers = dithers
        red = .allocate(capacity: viewport.width)
        green = .allocate(capacity: viewport.width)
        blue = .allocate(capacity: viewport.width)
        coverage = .allocate(capacity: viewport.width)
        grain = .allocate(capacity: NoiseTile.side + 1)
        grain.initialize(repeating: 0, count: NoiseTile.side + 1)
        for plane in [red, green, blue, coverage] { plane.initialize(repeating: 0, count: viewport.width) }
        crests = RidgeLine.lines(of: scene, in: viewport)
        curtains = scene.curtains.map { CurtainLine($0, in: viewport) }
        stars = Star.sky(of: scene, in: viewport)
    }

    deinit {
        // Floats are trivial: giving the memory back is all there is to it.
        for plane in [red, green, blue, coverage, grain] { plane.deallocate() }
    }

    /// Draws row `row` as `3 × width` bytes of red, green and blue.
    func draw(row: Int, into output: UnsafeMutablePointer<UInt8>) {
        let cover = crests.lastIndex { Float(row) >= $0.lowest }
        if cover == nil { drawSky(row: row) }
        let horizon = viewport.row(ofY: scene.horizon * viewport.extentY)
        if scene.water == nil || Float(row) < horizon {
            for index in (cover ?? 0)..<crests.count where Float(row + 1) > crests[index].highest {
                draw(ridge: index, row: row)
            }
        }
        if let water = scene.water, Float(row + 1) > horizon {
            draw(water, row: row, share: min(Float(row + 1) - horizon, 1))
        }
        round(row: row, into: output)
    }

    /// Loads the noise tile's line at `v` (in texels, wrapped around) into `grain`.
    func loadGrain(at v: Float) {
        let side = NoiseTile.side
        let floor = v.rounded(.down)
        let fraction = v - floor
        let upper = (Int.clamping(floor) & (side - 1)) * side
        let lower = ((Int.clamping(floor) &+ 1) & (side - 1)) * side
        NoiseTile.shared.values.withUnsafeBufferPointer { values in
            for column in 0..<side {
                let value = values[upper + column]
                grain[column] = value + (values[lower + column] - value) * fraction
            }
        }
        grain[side] = grain[0]
    }

    /// The loaded line at `u` texels; `u` is not negative.
    @inline(__always)
    func grain(at u: Float) -> Float {
        let whole = Int32.clamping(u)
        let fraction = u - Float(whole)
        let index = Int(whole) & (NoiseTile.side - 1)
        let from = grain[index]
        return from + (grain[index + 1] - from) * fraction
    }

    private func round(row: Int, into output: UnsafeMutablePointer<UInt8>) {
        // A half rounds to the nearest; the pattern puts every eighth in its place in turn.
        let threshold = dithers ? Self.thresholds[row & 7] : 0.5
        var position = 0
        for column in 0..<viewport.width {
            output[position] = UInt8(truncatingIfNeeded: Int32.clamping(min(max(red[column], 0), 1) * 255 + threshold))
            output[position + 1] = UInt8(
                truncatingIfNeeded: Int32.clamping(min(max(green[column], 0), 1) * 255 + threshold)
            )
            output[position + 2] = UInt8(
                truncatingIfNeeded: Int32.clamping(min(max(blue[column], 0), 1) * 255 + threshold)
            )
            position += 3
        }
    }

    /// Eighths in an order that keeps neighbours apart, each in the middle of its step; all are below 1, so that 255 is
    /// never passed.
    private static let thresholds: [Float] = [0, 4, 2, 6, 1, 5, 3, 7].map { ($0 + 0.5) / 8 }
}

extension NoiseTile {
    /// The one tile that all scenes look into, each at places of its own.
    static let shared = NoiseTile(seed: 0x5EED)
}

/// The part of a picture that is drawn, and the pixels it is drawn on.
///
/// Picture coordinates have the shorter side as their unit: a picture of 3:2 spans `0 ... 1.5` by `0 ... 1`.
struct Viewport: Sendable, Equatable {
    /// The size of the output in pixels, at least 1 × 1.
    let width: Int
    let height: Int
    /// The whole picture in picture coordinates.
    let extentX: Float
    let extentY: Float
    /// The upper left corner of the part, and the size of a pixel, in picture coordinates.
    let originX: Float
    let originY: Float
    let stepX: Float
    let stepY: Float

    /// The middle `partWidth` × `partHeight` (fractions of the picture in `0 ... 1`) on `width` × `height` pixels.
    init(width: Int, height: Int, aspectRatio: Float, partWidth: Float = 1, partHeight: Float = 1) {
        self.width = width
        self.height = height
        extentX = max(aspectRatio, 1)
        extentY = max(1 / aspectRatio, 1)
        originX = extentX * (1 - partWidth) / 2
        originY = extentY * (1 - partHeight) / 2
        stepX = extentX * partWidth / Float(width)
        stepY = extentY * partHeight / Float(height)
    }

    /// The picture coordinate of the middle of column `column`.
    func x(_ column: Int) -> Float { originX + (Float(column) + 0.5) * stepX }

    /// The picture coordinate of the middle of row `row`.
    func y(_ row: Int) -> Float { originY + (Float(row) + 0.5) * stepY }

    /// The row, in fractions of a pixel, at which picture coordinate `y` lies.
    func row(ofY y: Float) -> Float { (y - originY) / stepY }

    /// The column, in fractions of a pixel, at which picture coordinate `x` lies.
    func column(ofX x: Float) -> Float { (x - originX) / stepX }
}

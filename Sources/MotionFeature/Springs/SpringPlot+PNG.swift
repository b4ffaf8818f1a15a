import Motion
import PictureCoding

extension SpringPlot {
    static let pixels = (width: 1200, height: 675)

    /// The plot as a PNG, for previews of links: in the light colours, and without text, which a preview has beside it.
    var png: [UInt8] {
        let scale = Scale(springs)
        var canvas = Canvas(width: Self.pixels.width, height: Self.pixels.height, background: RGB(0xFFFFFF))
        for position in [0.0, 1] {
            let y = scale.y(position)
            canvas.stroke([pixel(Self.frame.left, y), pixel(Self.frame.right, y)], width: 2, RGB(0xD2D2D7))
        }
        // The first curve is above the second.
        for (spring, color) in zip(springs, [RGB(0x0066CC), RGB(0xBF4800)]).reversed() {
            if let time = spring.settlingTime {
                let x = scale.x(time)
                canvas.stroke([pixel(x, Self.frame.top), pixel(x, Self.frame.bottom)], width: 2, color)
            }
            let points = points(of: spring.curve, scale)
            canvas.stroke(points.map { pixel(scale.x($0.time), scale.y($0.position)) }, width: 7, color)
        }
        return canvas.png
    }

    private func pixel(_ x: Double, _ y: Double) -> Canvas.Point {
        let factor = Double(Self.pixels.width) / 640
        return (x * factor, y * factor)
    }
}

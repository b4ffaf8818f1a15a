import Primitives

/// A picture of lines on one colour, drawn without hard edges.
///
/// A pixel of a line has the share of the line's colour that its distance from the line gives, so a line is as smooth as
/// its points. A line covers each pixel once, also where it crosses itself.
package struct Canvas {
    /// A position in pixels, from the upper left corner.
    package typealias Point = (x: Double, y: Double)

    private let width: Int
    private let height: Int
    private var pixels: [RGB]

    /// Creates a picture of one colour; the sides are at least 1.
    package init(width: Int, height: Int, background: RGB) {
        self.width = max(1, width)
        self.height = max(1, height)
        pixels = [RGB](repeating: background, count: self.width * self.height)
    }

    /// Draws lines from point to point, with round ends and corners; one point is a dot.
    package mutating func stroke(_ points: [Point], width lineWidth: Double, _ color: RGB) {
        var coverage = [UInt8](repeating: 0, count: pixels.count)
        let radius = lineWidth / 2
        for (start, end) in zip(points, points.dropFirst().isEmpty ? points[...] : points.dropFirst()) {
            let columns = range(start.x, end.x, margin: radius + 1, limit: width)
            for row in range(start.y, end.y, margin: radius + 1, limit: height) {
                for column in columns {
                    let center = (x: Double(column) + 0.5, y: Double(row) + 0.5)
                    let share = radius + 0.5 - Canvas.distance(from: center, start, end)
                    let index = row * width + column
                    coverage[index] = max(coverage[index], UInt8(clamping: Int.clamping(share * 255)))
                }
            }
        }
        for index in pixels.indices where coverage[index] > 0 {
            pixels[index] = Canvas.mix(pixels[index], color, Double(coverage[index]) / 255)
        }
    }

    package func pixel(_ column: Int, _ row: Int) -> RGB { pixels[row * width + column] }

    package var png: [UInt8] { PNG.encode(pixels, width: width, height: height, level: 6) }

    /// Returns the pixels of one axis that a line may touch.
    private func range(_ a: Double, _ b: Double, margin: Double, limit: Int) -> Range<Int> {
        let low = Int.clamping(min(a, b) - margin, to: 0...limit)
        return low..<Int.clamping((max(a, b) + margin).rounded(.up), to: low...limit)
    }

    private static func distance(from point: Point, _ start: Point, _ end: Point) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = dx * dx + dy * dy
        let along = square > 0 ? ((point.x - start.x) * dx + (point.y - start.y) * dy) / square : 0
        let share = min(max(along, 0), 1)
        let (x, y) = (start.x + share * dx - point.x, start.y + share * dy - point.y)
        return (x * x + y * y).squareRoot()
    }

    /// Mixes two colours as bytes; text and lines on screens are mixed so.
    private static func mix(_ below: RGB, _ above: RGB, _ share: Double) -> RGB {
        func byte(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8(clamping: Int.clamping(Double(from) + (Double(to) - Double(from)) * share + 0.5))
        }
        return RGB(byte(below.red, above.red), byte(below.green, above.green), byte(below.blue, above.blue))
    }
}

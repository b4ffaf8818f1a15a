import PictureCoding
import Testing

@Suite("Canvas")
struct CanvasTests {
    private let black = RGB(0x000000)

    private func canvas() -> Canvas { Canvas(width: 9, height: 7, background: RGB(0xFFFFFF)) }

    @Test("a line covers the pixels within its width, and shares those at its edges")
    func line() {
        var canvas = canvas()
        canvas.stroke([(x: 0, y: 3.5), (x: 9, y: 3.5)], width: 2, black)
        #expect(canvas.pixel(4, 3) == black)
        #expect(canvas.pixel(4, 2) == RGB(0x808080) && canvas.pixel(4, 4) == RGB(0x808080))
        #expect(canvas.pixel(4, 1) == RGB(0xFFFFFF))
    }

    @Test("a line that crosses itself covers a pixel once")
    func crossing() {
        var canvas = canvas()
        canvas.stroke([(x: 0, y: 3.5), (x: 9, y: 3.5), (x: 0, y: 3.5)], width: 2, black)
        #expect(canvas.pixel(4, 2) == RGB(0x808080))
    }

    @Test("points outside the picture, a single point and no point draw what is inside")
    func outside() {
        var canvas = canvas()
        canvas.stroke([(x: -1e300, y: 3.5), (x: 1e300, y: 3.5)], width: 1, black)
        canvas.stroke([(x: .infinity, y: .nan)], width: 1, black)
        canvas.stroke([], width: 1, black)
        #expect(canvas.pixel(0, 0) == RGB(0xFFFFFF))
        canvas.stroke([(x: 0.5, y: 0.5)], width: 1, black)
        #expect(canvas.pixel(0, 0) == black && canvas.pixel(2, 0) == RGB(0xFFFFFF))
    }
}

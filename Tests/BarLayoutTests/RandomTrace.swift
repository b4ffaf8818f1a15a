import BarLayout
import TestSupport

/// Random traces of typical events: drags, flings, bounces at both ends, growing content, other views, and `expand`.
struct RandomTrace {
    private var random: SeededGenerator
    private(set) var events: [BarEvent] = []
    private var y = -200.0
    private var contentHeight = 2000.0

    init(seed: UInt64, length: Int) throws {
        random = SeededGenerator(seed: seed)
        while events.count < length {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4: try drag()
            case 5: try bounce(around: -200)
            case 6: try bounce(around: contentHeight - 600)
            case 7:
                contentHeight = quarter(400...6000)
                events.append(BarEvent(.contentSize(try Size(width: 375, height: contentHeight))))
            case 8:
                y = Bool.random(using: &random) ? 0 : quarter(0...1000)
                let view = try Scrollable.view("v\(events.count)", y: y, contentHeight: contentHeight)
                events.append(BarEvent(Bool.random(using: &random) ? .set(view) : .preconfigure(view)))
            default: events.append(BarEvent(.expand(Bool.random(using: &random))))
            }
        }
        events.removeLast(events.count - length)
    }

    /// A pan that begins, moves the content and ends; sometimes the content decelerates afterwards.
    private mutating func drag() throws {
        events.append(BarEvent(.panGesture(.began, velocity: nil)))
        let speed = quarter(-60...60)
        for _ in 0..<Int.random(in: 3...12, using: &random) {
            try move(by: speed + quarter(-5...5))
            events.append(BarEvent(.panGesture(.changed, velocity: nil)))
        }
        let end = [BarEvent.PanGestureState.ended, .ended, .cancelled].randomElement(using: &random) ?? .ended
        events.append(BarEvent(.panGesture(end, velocity: try Point(x: 0, y: speed * 60))))
        for step in 0..<Int.random(in: 0...5, using: &random) { try move(by: speed / Double(step + 1)) }
    }

    private mutating func bounce(around edge: Double) throws {
        for offset in [0, 20, 45, 50, 30, 10, 0] {
            y = edge + (edge < 0 ? -1 : 1) * Double(offset)
            events.append(BarEvent(.contentOffset(try Point(x: 0, y: y))))
        }
    }

    private mutating func move(by delta: Double) throws {
        y = max(-320, min(contentHeight, y + (delta * 4).rounded() / 4))
        events.append(BarEvent(.contentOffset(try Point(x: 0, y: y))))
    }

    private mutating func quarter(_ range: ClosedRange<Double>) -> Double {
        (Double.random(in: range, using: &random) * 4).rounded() / 4
    }
}

import Glibc
import HTTPExchange
import Motion
import PictureCoding
import Primitives

/// A picture of one or two curves for presentations.
///
/// It has axes, target, peak and settling time. Colours are those of the playground, and follow the reader's colour
/// scheme. Labels are text elements. A title and a description give the same information to screen readers.
struct SpringPlot: Sendable {
    static let names = SpringQuery.plainNames + SpringQuery.names(prefix: "b.")

    // The plot area in the picture of 640 × 360 points.
    static let frame = (left: 56.0, right: 616.0, top: 40.0, bottom: 312.0)
    /// The size of the PNG.
    static let pixels = (width: 1200, height: 675)
    /// The number of intervals of a curve, between whose ends extrema are added.
    private static let points = 400

    let springs: [SpringQuery]

    init(_ query: Query) throws {
        let hasSecond = query.names.contains { $0.hasPrefix("b.") }
        springs = try SpringQuery.several(query, prefixes: hasSecond ? ["", "b."] : [""])
    }

    var svg: String {
        let scale = Scale(springs)
        let named = zip(["a", "b"], springs)
        let paths = named.map { path($1.curve, $0, scale) }.joined()
        let marks = named.map { self.marks($1, $0, scale) }.joined()
        // Each name has the colour of its curve, so the heading is the legend.
        let heading = named.map { "<tspan class=\"name \($0)\">\(name($1))</tspan>" }.joined(separator: " · ")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" role="img" aria-labelledby="title desc">
            <title id="title">\(title)</title>
            <desc id="desc">\(description)</desc>
            <style>
            :root{color-scheme:light dark;--ink:#1d1c1a;--soft:#66635b;--grid:#dcd9cf;--a:#bf3b1b;--b:#2456c9;--back:#fffefb}
            @media (prefers-color-scheme:dark){:root{--ink:#edebe5;--soft:#a5a196;--grid:#35332e;--a:#ff8463;--b:#8fb0ff;\
            --back:#1e1d1b}}
            text{font:12px system-ui,sans-serif;fill:var(--ink)}.soft{fill:var(--soft)}.grid{stroke:var(--grid)}
            .line{fill:none;stroke-width:2.5;stroke-linejoin:round}.a{stroke:var(--a)}.b{stroke:var(--b)}
            .dot{fill:var(--back);stroke-width:2}.rest{stroke-dasharray:3 4}
            .name{font-weight:600;stroke:none}.name.a{fill:var(--a)}.name.b{fill:var(--b)}
            .note{paint-order:stroke;stroke:var(--back);stroke-width:4px;stroke-linejoin:round}
            </style>
            <rect width="640" height="360" fill="var(--back)"/>
            <text x="56" y="24">\(heading)</text>
            \(axes(scale))\(paths)\(marks)</svg>

            """
    }

    /// The plot as a PNG, for previews of links: in the light colours, and without text, which a preview has beside it.
    var png: [UInt8] {
        let scale = Scale(springs)
        var canvas = Canvas(width: Self.pixels.width, height: Self.pixels.height, background: RGB(0xFFFEFB))
        for position in [0.0, 1] {
            let y = scale.y(position)
            canvas.stroke([pixel(Self.frame.left, y), pixel(Self.frame.right, y)], width: 2, RGB(0xDCD9CF))
        }
        // The first curve is above the second.
        for (spring, color) in zip(springs, [RGB(0xBF3B1B), RGB(0x2456C9)]).reversed() {
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

    struct Scale {
        let duration: Double
        let low: Double
        let high: Double

        init(_ springs: [SpringQuery]) {
            // A curve that never settles is shown for eight of its periods.
            let ends = springs.map { ($0.settlingTime ?? 8 * $0.curve.spring.response) * 1.08 }
            let duration = ends.max() ?? 1
            self.duration = duration
            // The first extrema are the furthest. They may lie between the points.
            let values = springs.map(\.curve).flatMap { curve in
                curve.turns(from: 0, to: duration, atMost: 3).map(\.position)
                    + (0...SpringPlot.points).map { curve.position(at: duration * Double($0) / Double(points)) }
            }
            let (lowest, highest) = (min(0, values.min() ?? 0), max(1, values.max() ?? 1))
            low = lowest
            high = highest + 0.04 * (highest - lowest)
        }

        func x(_ time: Double) -> Double { frame.left + (frame.right - frame.left) * time / duration }

        func y(_ position: Double) -> Double {
            frame.bottom - (frame.bottom - frame.top) * (position - low) / (high - low)
        }
    }

    private func path(_ curve: SpringCurve, _ name: String, _ scale: Scale) -> String {
        let texts = points(of: curve, scale).map { "\(text(scale.x($0.time))) \(text(scale.y($0.position)))" }
        return "<path class=\"line \(name)\" d=\"M\(texts.joined(separator: "L"))\"/>\n"
    }

    /// Returns evenly spaced points, and extrema that lie more than half a point off the line between two of them.
    ///
    /// The first two extrema after a time are the furthest from then on, so two per interval are enough. A curve that
    /// oscillates hundreds of times in an interval fills the area between its envelopes.
    func points(of curve: SpringCurve, _ scale: Scale) -> [SpringCurve.Point] {
        var points: [SpringCurve.Point] = []
        for index in 0...Self.points {
            let point = curve.point(at: scale.duration * Double(index) / Double(Self.points))
            if let last = points.last {
                points += curve.turns(from: last.time, to: point.time, atMost: 2).filter { turn in
                    let share = (turn.time - last.time) / (point.time - last.time)
                    let chord = last.position + share * (point.position - last.position)
                    return abs(scale.y(turn.position) - scale.y(chord)) > 0.5
                }
            }
            points.append(point)
        }
        return points
    }

    /// Returns the marks of the peak and of the settling time with their labels.
    private func marks(_ spring: SpringQuery, _ name: String, _ scale: Scale) -> String {
        var marks = ""
        if let peak = spring.curve.peak, peak.position > 1.0005, peak.time <= scale.duration {
            let (x, y) = (scale.x(peak.time), scale.y(peak.position))
            // The label is on the side with more space.
            let isLate = x > Self.frame.right - 64
            let anchor = isLate ? " text-anchor=\"end\"" : ""
            marks += """
                <circle class="dot \(name)" cx="\(text(x))" cy="\(text(y))" r="4"/>
                <text class="note" x="\(text(x + (isLate ? -8 : 8)))" y="\(text(y + (name == "a" ? -2 : 12)))"\(anchor)>\
                +\(percent(peak.position - 1))</text>

                """
        }
        if let time = spring.settlingTime {
            let x = scale.x(time)
            let height = name == "a" ? -6.0 : -22
            // The label is on the side with more space.
            let isLate = x > (Self.frame.left + Self.frame.right) / 2
            marks += """
                <path class="rest \(name)" d="M\(text(x)) \(text(Self.frame.top))V\(text(Self.frame.bottom))"/>
                <text class="note" x="\(text(x + (isLate ? -4 : 4)))" y="\(text(Self.frame.bottom + height))" \
                text-anchor="\(isLate ? "end" : "start")">settled \(seconds(time))</text>

                """
        }
        return marks
    }

    private func axes(_ scale: Scale) -> String {
        var lines = ""
        // A high velocity compresses start and target; then only the target is labelled.
        let hasSpace = scale.y(0) - scale.y(1) >= 14
        for (position, name) in [(0.0, "0"), (1, "1")] {
            let y = text(scale.y(position))
            lines += "<path class=\"grid\" d=\"M56 \(y)H616\"/>\n"
            guard position == 1 || hasSpace else { continue }
            lines += "<text class=\"soft\" x=\"48\" y=\"\(y)\" text-anchor=\"end\" dy=\"4\">\(name)</text>\n"
        }
        let ticks = ticks(scale.duration)
        // Long labels appear at every second mark.
        let isDense = (ticks.map(\.label.count).max() ?? 0) * ticks.count > 84
        for (index, tick) in ticks.enumerated() {
            let x = text(scale.x(tick.time))
            lines += "<path class=\"grid\" d=\"M\(x) 312v5\"/>\n"
            guard index % (isDense ? 2 : 1) == 0 else { continue }
            lines += "<text class=\"soft\" x=\"\(x)\" y=\"334\" text-anchor=\"middle\">\(tick.label)</text>\n"
        }
        return lines
    }

    /// Returns the marks of the time axis in seconds: four to ten multiples of 1, 2 or 5 times a power of ten.
    private func ticks(_ duration: Double) -> [(time: Double, label: String)] {
        let exponent = Int.clamping(log10(duration / 4).rounded(.down), to: -300...300)
        let unit = pow(10, Double(exponent))
        let step = [5.0, 2, 1].first { duration / ($0 * unit) >= 4 }.map { $0 * unit } ?? unit
        return (0...Int.clamping(duration / step, to: 0...50)).map { index in
            // Enough decimals to distinguish neighbouring marks.
            (Double(index) * step, "\((Double(index) * step).fixed(places: max(0, -exponent))) s")
        }
    }

    var title: String { springs.map(name).joined(separator: " · ") }

    private func name(_ query: SpringQuery) -> String {
        let (spring, velocity) = (query.curve.spring, query.curve.initialVelocity)
        return "ζ \(spring.dampingRatio.readable), response \(seconds(spring.response))"
            + (velocity == 0 ? "" : ", velocity \(velocity.readable)/s")
    }

    var description: String {
        springs.map { query in
            let (spring, velocity, overshoot) = (query.curve.spring, query.curve.initialVelocity, query.curve.overshoot)
            let peak = overshoot > 0.0005 ? "overshoots its target by \(percent(overshoot))" : "does not overshoot"
            let rest = query.settlingTime.map { "is at rest after \(seconds($0))" } ?? "never comes to rest"
            let start = velocity == 0 ? "" : " that starts with \(velocity.readable) travels a second"
            return "A spring with damping ratio \(spring.dampingRatio.readable) and response "
                + "\(seconds(spring.response))\(start) \(peak) and \(rest)."
        }.joined(separator: " ")
    }

    /// Returns a coordinate as text, to a tenth.
    private func text(_ number: Double) -> String { number.fixed(places: 1) }
    private func seconds(_ time: Double) -> String { "\(time.readable) s" }
    private func percent(_ share: Double) -> String { "\(text(share * 100)) %" }
}

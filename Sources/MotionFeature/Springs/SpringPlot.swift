import Glibc
package import HTTPExchange
import Motion
import PictureCoding
import Primitives
import SpringConventions

/// A picture of one or two curves for presentations.
///
/// Colours are those of the playground, and follow the reader's scheme. A title and a description serve screen readers.
package struct SpringPlot: Sendable {
    package static let names = SpringQuery.plainNames + SpringQuery.names(prefix: "b.")

    /// The size of the PNG.
    package static let pixels = (width: 1200, height: 675)
    /// The number of intervals of a curve, between whose ends extrema are added.
    private static let points = 400

    private let springs: [SpringQuery]
    /// The length of the time axis in seconds, and the ends of the axis of positions.
    private let duration: Double
    private let low: Double
    private let high: Double

    package init(_ query: Query) throws {
        let hasSecond = query.names.contains { $0.hasPrefix("b.") }
        springs = try SpringQuery.several(query, prefixes: hasSecond ? ["", "b."] : [""])
        // A curve that never settles is shown for eight of its periods.
        let duration = springs.map { ($0.settlingTime ?? 8 * $0.curve.spring.response) * 1.08 }.max() ?? 1
        // The first extrema are the furthest. They may lie between the points.
        let values = springs.flatMap { spring -> [Double] in
            let curve = spring.curve
            let extrema = curve.turns(from: 0, to: duration, atMost: 3).map(\.position)
            let points = (0...Self.points).map { curve.position(at: duration * Double($0) / Double(Self.points)) }
            return extrema + points
        }
        let (lowest, highest) = (min(0, values.min() ?? 0), max(1, values.max() ?? 1))
        (self.duration, low, high) = (duration, lowest, highest + 0.04 * (highest - lowest))
    }

    // The plot area is from (56, 40) to (616, 312) in a picture of 640 × 360 points.
    private func x(_ time: Double) -> Double { 56 + 560 * time / duration }
    private func y(_ position: Double) -> Double { 312 - 272 * (position - low) / (high - low) }

    var svg: String {
        let named = zip(["a", "b"], springs)
        let paths = named.map { path($1.curve, $0) }.joined()
        let marks = named.map { self.marks($1, $0) }.joined()
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
            \(axes)\(paths)\(marks)</svg>

            """
    }

    /// The plot as a PNG, for previews of links: in the light colours, and without text, which a preview has beside it.
    var png: [UInt8] {
        func pixel(_ x: Double, _ y: Double) -> Canvas.Point {
            let factor = Double(Self.pixels.width) / 640
            return (x * factor, y * factor)
        }
        var canvas = Canvas(width: Self.pixels.width, height: Self.pixels.height, background: RGB(0xFFFEFB))
        for y in [y(0), y(1)] {
            canvas.stroke([pixel(56, y), pixel(616, y)], width: 2, RGB(0xDCD9CF))
        }
        // The first curve is above the second.
        for (spring, color) in zip(springs, [RGB(0xBF3B1B), RGB(0x2456C9)]).reversed() {
            if let x = spring.settlingTime.map(x) {
                canvas.stroke([pixel(x, 40), pixel(x, 312)], width: 2, color)
            }
            canvas.stroke(points(of: spring.curve).map { pixel(x($0.time), y($0.position)) }, width: 7, color)
        }
        return canvas.png
    }

    private func path(_ curve: SpringCurve, _ name: String) -> String {
        let texts = points(of: curve).map { "\(text(x($0.time))) \(text(y($0.position)))" }
        return "<path class=\"line \(name)\" d=\"M\(texts.joined(separator: "L"))\"/>\n"
    }

    /// Returns evenly spaced points, and extrema that lie more than half a point off the line between two of them.
    ///
    /// The first two extrema after a time are the furthest from then on, so two per interval are enough.
    private func points(of curve: SpringCurve) -> [SpringCurve.Point] {
        var points: [SpringCurve.Point] = []
        for index in 0...Self.points {
            let point = curve.point(at: duration * Double(index) / Double(Self.points))
            if let last = points.last {
                points += curve.turns(from: last.time, to: point.time, atMost: 2).filter { turn in
                    let share = (turn.time - last.time) / (point.time - last.time)
                    let chord = last.position + share * (point.position - last.position)
                    return abs(y(turn.position) - y(chord)) > 0.5
                }
            }
            points.append(point)
        }
        return points
    }

    private func marks(_ spring: SpringQuery, _ name: String) -> String {
        var marks = ""
        if let peak = spring.curve.peak, peak.position > 1.0005, peak.time <= duration {
            let (x, y) = (x(peak.time), y(peak.position))
            // The label is on the side with more space.
            let isLate = x > 552
            let anchor = isLate ? " text-anchor=\"end\"" : ""
            marks += """
                <circle class="dot \(name)" cx="\(text(x))" cy="\(text(y))" r="4"/>
                <text class="note" x="\(text(x + (isLate ? -8 : 8)))" y="\(text(y + (name == "a" ? -2 : 12)))"\(anchor)>\
                +\(percent(peak.position - 1))</text>

                """
        }
        if let time = spring.settlingTime {
            let x = x(time)
            let isLate = x > 336
            marks += """
                <path class="rest \(name)" d="M\(text(x)) 40V312"/>
                <text class="note" x="\(text(x + (isLate ? -4 : 4)))" y="\(name == "a" ? 306 : 290)" \
                text-anchor="\(isLate ? "end" : "start")">settled \(seconds(time))</text>

                """
        }
        return marks
    }

    private var axes: String {
        var lines = ""
        // A high velocity compresses start and target; then only the target is labelled.
        let hasSpace = y(0) - y(1) >= 14
        for (position, name) in [(0.0, "0"), (1, "1")] {
            let y = text(y(position))
            lines += "<path class=\"grid\" d=\"M56 \(y)H616\"/>\n"
            guard position == 1 || hasSpace else { continue }
            lines += "<text class=\"soft\" x=\"48\" y=\"\(y)\" text-anchor=\"end\" dy=\"4\">\(name)</text>\n"
        }
        let ticks = ticks
        // Long labels appear at every second mark.
        let isDense = (ticks.map(\.label.count).max() ?? 0) * ticks.count > 84
        for (index, tick) in ticks.enumerated() {
            let x = text(x(tick.time))
            lines += "<path class=\"grid\" d=\"M\(x) 312v5\"/>\n"
            guard index % (isDense ? 2 : 1) == 0 else { continue }
            lines += "<text class=\"soft\" x=\"\(x)\" y=\"334\" text-anchor=\"middle\">\(tick.label)</text>\n"
        }
        return lines
    }

    /// Returns the marks of the time axis in seconds: four to ten multiples of 1, 2 or 5 times a power of ten.
    private var ticks: [(time: Double, label: String)] {
        let exponent = Int.clamping(log10(duration / 4).rounded(.down), to: -300...300)
        let unit = pow(10, Double(exponent))
        let step = [5.0, 2, 1].first { duration / ($0 * unit) >= 4 }.map { $0 * unit } ?? unit
        return (0...Int.clamping(duration / step, to: 0...50)).map { index in
            // Enough decimals to distinguish neighbouring marks.
            (Double(index) * step, "\((Double(index) * step).fixed(places: max(0, -exponent))) s")
        }
    }

    package var title: String { springs.map(name).joined(separator: " · ") }

    private func name(_ query: SpringQuery) -> String {
        let (spring, velocity) = (query.curve.spring, query.curve.initialVelocity)
        return "ζ \(spring.dampingRatio.readable), response \(seconds(spring.response))"
            + (velocity == 0 ? "" : ", velocity \(velocity.readable)/s")
    }

    package var description: String {
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

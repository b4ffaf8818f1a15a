import Motion

/// A picture of one or two curves, fit for a slide: axes, the target, the peak, the moment of rest.
///
/// Its colours follow the reader's scheme, its text is real text, and a title and a description say the same to those
/// who do not see it.
struct SpringPlot {
    /// A curve and within what it counts as settled.
    struct Curve {
        let curve: SpringCurve
        let epsilon: Double

        var settlingTime: Double? { curve.settlingTime(epsilon: epsilon) }
    }

    let curves: [Curve]

    // The picture and, in it, the axes.
    private static let size = (width: 640.0, height: 360.0)
    private static let frame = (left: 56.0, right: 616.0, top: 40.0, bottom: 312.0)
    private static let points = 400

    var svg: String {
        let scale = Scale(curves)
        let names = ["a", "b"]
        let paths = zip(names, curves).map { path($1, $0, scale) }.joined()
        let marks = zip(names, curves).map { self.marks($1, $0, scale) }.joined()
        // Each curve's name has its colour: the heading is the legend.
        let heading = zip(names, curves).map { "<tspan class=\"name \($0)\">\(name($1))</tspan>" }
            .joined(separator: " · ")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360" role="img" aria-labelledby="title desc">
            <title id="title">\(title)</title>
            <desc id="desc">\(description)</desc>
            <style>
            :root{color-scheme:light dark;--ink:#1d1d1f;--soft:#86868b;--grid:#d2d2d7;--a:#0066cc;--b:#bf4800;--back:#fff}
            @media (prefers-color-scheme:dark){:root{--ink:#f5f5f7;--soft:#a1a1a6;--grid:#424245;--a:#2997ff;--b:#ff9f0a;\
            --back:#1d1d1f}}
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

    /// What is drawn where.
    private struct Scale {
        let duration: Double
        let low: Double
        let high: Double

        init(_ curves: [Curve]) {
            // One that never settles is shown for eight of its periods.
            let ends = curves.map { ($0.settlingTime ?? 8 * $0.curve.spring.response) * 1.08 }
            let duration = ends.max() ?? 1
            self.duration = duration
            let values = curves.flatMap { curve in
                (0...SpringPlot.points).map { curve.curve.position(at: duration * Double($0) / Double(points)) }
            }
            low = min(0, values.min() ?? 0)
            high = max(1, values.max() ?? 1) + 0.04
        }

        func x(_ time: Double) -> Double {
            frame.left + (frame.right - frame.left) * time / duration
        }

        func y(_ position: Double) -> Double {
            frame.bottom - (frame.bottom - frame.top) * (position - low) / (high - low)
        }
    }

    private func path(_ curve: Curve, _ name: String, _ scale: Scale) -> String {
        let points = (0...Self.points).map { index in
            let time = scale.duration * Double(index) / Double(Self.points)
            return "\(text(scale.x(time))) \(text(scale.y(curve.curve.position(at: time))))"
        }
        return "<path class=\"line \(name)\" d=\"M\(points.joined(separator: "L"))\"/>\n"
    }

    /// The peak and the moment of rest, each with its numbers.
    private func marks(_ curve: Curve, _ name: String, _ scale: Scale) -> String {
        var marks = ""
        if let peak = curve.curve.peak, peak.position > 1.0005, peak.time <= scale.duration {
            let (x, y) = (scale.x(peak.time), scale.y(peak.position))
            marks += """
                <circle class="dot \(name)" cx="\(text(x))" cy="\(text(y))" r="4"/>
                <text class="note" x="\(text(x + 8))" y="\(text(y + (name == "a" ? -2 : 12)))">+\(percent(peak.position - 1))</text>

                """
        }
        if let time = curve.settlingTime {
            let x = scale.x(time)
            let height = name == "a" ? -6.0 : -22
            // Beside its line, on the side with more room.
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
        for position in [0.0, 1] {
            let y = text(scale.y(position))
            lines += "<path class=\"grid\" d=\"M56 \(y)H616\"/>\n"
            lines += "<text class=\"soft\" x=\"48\" y=\"\(y)\" text-anchor=\"end\" dy=\"4\">\(Int(position))</text>\n"
        }
        let step = Self.step(scale.duration)
        var time = 0.0
        while time <= scale.duration {
            let x = text(scale.x(time))
            lines += "<path class=\"grid\" d=\"M\(x) 312v5\"/>\n"
            lines += "<text class=\"soft\" x=\"\(x)\" y=\"334\" text-anchor=\"middle\">\(seconds(time))</text>\n"
            time += step
        }
        return lines
    }

    /// 1, 2 or 5 of a power of ten, so that there are four to ten of them.
    private static func step(_ duration: Double) -> Double {
        var unit = 1.0
        while unit > duration / 4 { unit /= 10 }
        while unit * 10 <= duration / 4 { unit *= 10 }
        return [5.0, 2, 1].first { duration / ($0 * unit) >= 4 }.map { $0 * unit } ?? unit
    }
}

extension SpringPlot {
    private var title: String {
        curves.map(name).joined(separator: " · ")
    }

    private func name(_ curve: Curve) -> String {
        let spring = curve.curve.spring
        let velocity = curve.curve.initialVelocity
        return "ζ \(text(spring.dampingRatio, 1000)), response \(seconds(spring.response))"
            + (velocity == 0 ? "" : ", velocity \(text(velocity, 1000))/s")
    }

    private var description: String {
        curves.map { curve in
            let overshoot = curve.curve.overshoot
            let peak = overshoot > 0.0005 ? "overshoots its target by \(percent(overshoot))" : "does not overshoot"
            let rest = curve.settlingTime.map { "is at rest after \(seconds($0))" } ?? "never comes to rest"
            let velocity = curve.curve.initialVelocity
            let start = velocity == 0 ? "" : " that starts with \(text(velocity, 1000)) travels a second"
            return "A spring with damping ratio \(text(curve.curve.spring.dampingRatio, 1000)) and response "
                + "\(seconds(curve.curve.spring.response))\(start) \(peak) and \(rest)."
        }.joined(separator: " ")
    }

    /// A coordinate, to a tenth.
    private func text(_ number: Double, _ scale: Double = 10) -> String {
        ((number * scale).rounded() / scale).plain
    }

    private func seconds(_ time: Double) -> String { "\(text(time, 1000)) s" }

    private func percent(_ share: Double) -> String { "\(text(share * 100)) %" }
}

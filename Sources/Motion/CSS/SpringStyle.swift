/// A spring as CSS to paste: custom properties, with a fallback for browsers without `linear()`.
package struct SpringStyle: Sendable, Equatable {
    package let fit: LinearFit
    package let fallback: CubicBezier

    package init(_ fit: LinearFit, of curve: SpringCurve) {
        self.fit = fit
        fallback = CubicBezier(fitting: curve, duration: fit.duration)
    }

    /// The rule; `comment` says which spring it is and may not end a comment.
    package func css(comment: String) -> String {
        """
        /* \(comment); \(fit.easing.count) stops, at most \(fit.measuredError.short) of the travel off */
        :root {
          --spring-duration: \((fit.duration * 1000).snippet)ms;
          --spring-easing: \(fallback.css);
        }
        @supports (animation-timing-function: linear(0, 1)) {
          :root {
            --spring-easing: \(fit.easing.css);
          }
        }
        /* transition: transform var(--spring-duration) var(--spring-easing); */

        """
    }
}

extension Double {
    /// Two significant digits upwards, for an error that is stated.
    package var short: String {
        guard self > 0, isFinite else { return "0" }
        var scale = 1.0
        while self * scale < 10, scale < 1e12 { scale *= 10 }
        return ((self * scale).rounded(.up) / scale).plain
    }
}

import BarLayout
import TestSupport

extension BarConfiguration {
    /// The heights of most golden cases.
    static let hundreds = try! BarConfiguration(  // 0 ≤ 100 ≤ 200 ≤ 300
        compactStateHeight: 100,
        normalStateHeight: 200,
        expandedStateHeight: 300
    )
}

extension Scrollable {
    /// A view of 375 × 600 points with the content offset `y`.
    static func view(
        _ id: String = "a",
        y: Double = 0,
        contentHeight: Double = 2000,
        bottom: Double = 0
    ) throws -> Scrollable {
        try Scrollable(
            id: id,
            geometry: ScrollGeometry(
                contentOffset: Point(x: 0, y: y),
                contentSize: Size(width: 375, height: contentHeight),
                frame: Rect(x: 0, y: 0, width: 375, height: 600),
                contentInset: EdgeInsets(top: 0, left: 0, bottom: bottom, right: 0)
            )
        )
    }
}

extension BarSession {
    /// A bar over a view, right after its creation.
    static func over(
        _ view: Scrollable,
        feedback: Feedback = .applied,
        options: BarOptions = .airBar,
        configuration: BarConfiguration = .hundreds
    ) -> BarSession {
        BarSession.attached(
            to: view,
            configuration: configuration,
            feedback: feedback,
            options: options,
            rules: .test
        ).session
    }

    /// Reports these content offsets, in order.
    mutating func scroll(to offsets: Double...) throws {
        for y in offsets { try act(.contentOffset(Point(x: 0, y: y))) }
    }

    @discardableResult
    mutating func act(_ action: BarEvent.Action, source: BarEvent.Source = .user) throws -> BarOutcome {
        try apply(BarEvent(action, source: source), rules: .test)
    }
}

extension BarRules {
    /// Projection and relative velocity by the formulas of "Designing Fluid Interfaces" (WWDC 2018).
    static let test = BarRules(
        project: { velocity, rate in velocity / 1000 * rate.value / (1 - rate.value) },
        relativeVelocity: { velocity, current, target in
            current == target ? 0 : velocity / (target - current)
        }
    )
}

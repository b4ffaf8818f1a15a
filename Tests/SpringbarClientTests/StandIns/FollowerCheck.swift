import BarLayout
import SpringbarClient
import SwiftUI
import UIKit

// A program that checks the follower on stand-ins of views, and prints what is wrong.

@MainActor
private func expect(_ isTrue: Bool, _ rule: String) {
    if !isTrue { print("wrong: \(rule)") }
}

@MainActor
private func list(top: CGFloat = 0) -> UIScrollView {
    let view = UIScrollView(frame: .zero)
    view.frame = CGRect(x: 0, y: 0, width: 375, height: 667)
    view.contentSize = CGSize(width: 375, height: 4800)
    view.contentInset.top = top
    return view
}

@main
@MainActor
struct FollowerCheck {
    private static let heights = BarConfiguration(compact: 100, normal: 200, expanded: 300)
    private static let service = Springbar(transport: MockService())

    static func main() async {
        await follower()
        memory()
        model()
    }

    private static func follower() async {
        let (first, second) = (list(top: 7), list())
        first.verticalScrollIndicatorInsets.top = 5
        let follower = BarFollower(scrollView: first, configuration: heights, service: service)
        var problems: [Problem] = []
        follower.onProblem = { problems.append($0) }
        expect(first.contentInset.top == 200 && first.contentOffset.y == -200, "a bar has its insets")
        first.contentOffset.y = -150
        expect(follower.bar.current.state.height == 150, "a bar follows its view")

        follower.attach(second, id: "second")
        let isAttached = follower.bar.current.scrollableID == "second"
        expect(second.contentInset.top == 200 && isAttached, "a second view is attached")
        let revision = follower.bar.pendingEvents.count
        first.contentOffset.y = -120
        expect(follower.bar.pendingEvents.count == revision, "a former view is not followed")
        expect(first.contentInset.top == 200, "a former view keeps its insets")
        follower.expand(true)
        expect(follower.isOpen && follower.bar.current.state.height == 300, "a bar is open")
        follower.expand(false)
        expect(!follower.isOpen, "a bar is closed")

        second.contentInset.left = .nan
        second.contentOffset.y = 10
        expect(follower.bar.current.state.height == 100, "a view with an impossible inset is followed")

        follower.attach(first, id: "main")
        follower.stop()
        expect(first.contentInset.top == 7 && first.verticalScrollIndicatorInsets.top == 5, "insets are restored")
        expect(second.contentInset.top == 0, "insets of all views are restored")
        expect(first.contentInsetAdjustmentBehavior == .automatic, "the adjustment of insets is restored")
        let count = follower.bar.pendingEvents.count
        follower.attach(second, id: "second")
        expect(second.contentInset.top == 0, "no view is attached after the end")
        first.contentOffset.y = 30
        second.contentOffset.y = 30
        expect(follower.bar.pendingEvents.count == count, "a bar follows no view after the end")
    }

    private static func memory() {
        weak var removed: UIScrollView?
        let follower = BarFollower(scrollView: list(), configuration: heights, service: service)
        do {
            let view = list()
            removed = view
            follower.attach(view, id: "removed")
        }
        follower.attach(list(), id: "last")
        expect(removed == nil, "a view that the app removed is released")
    }

    private static func model() {
        let model = BarModel(configuration: heights, service: service)
        let window = UIWindow(frame: .zero)
        func show(_ view: UIScrollView) {
            _ = Text("").followed(by: model)
            guard let probe = hostedViews.last else { return print("wrong: there is no probe") }
            view.addSubview(probe)
            probe.window = window
        }
        let (first, second) = (list(), list())
        show(first)
        let bar = model.bar
        expect(bar != nil && model.result?.isOpen == false, "a model attaches the view around its content")
        show(second)
        expect(second.contentInset.top == 200 && model.bar === bar, "a model attaches a view that is made later")
        second.contentOffset.y = -120
        expect(model.height == 120, "a model follows the view that is made later")
    }
}

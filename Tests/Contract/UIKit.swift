import Foundation

// The declarations of UIKit that the Swift code of docs/bars.md uses, as in its SDK, and the members that the page leaves to
// its reader. With them the code can be type-checked without UIKit.

@MainActor
class UIScrollView: NSObject {
    var contentOffset = CGPoint.zero
}

@MainActor
protocol UIScrollViewDelegate: NSObjectProtocol {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

@MainActor
class UIGestureRecognizer: NSObject {
    enum State: Int, Sendable {
        case possible, began, changed, ended, cancelled, failed
    }

    var state = State.possible
}

class UIPanGestureRecognizer: UIGestureRecognizer {}

extension BarFollower {
    struct Bar: Sendable {}

    var names: [UIGestureRecognizer.State: String] { [:] }

    func post(_ content: [String: Any]) async throws -> Bar { Bar() }

    func follow(_ bar: Bar) {}
}

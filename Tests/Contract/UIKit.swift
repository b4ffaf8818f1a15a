import Foundation

// What the README's Swift needs of UIKit, declared as its SDK declares it, so that the text can be type-checked where
// there is no UIKit; and what the README leaves to its reader.

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

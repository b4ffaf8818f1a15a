// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import MacTypes

// The declarations of UIKit that the client and its example use, as in the SDK. With them the code can be type-checked
// without UIKit. `#selector` needs Objective-C, so the test replaces it by an initializer of `Selector`.

public struct Selector: Sendable {
    public init(_ name: String) {}
}

extension NotificationCenter {
    public func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?) {}
}

public struct CGVector: Sendable {
    public init(dx: CGFloat, dy: CGFloat) {}
}

public struct UIEdgeInsets: Sendable, Equatable {
    public var top, left, bottom, right: CGFloat
}

public final class NSKeyValueObservation {
    fileprivate let report: @MainActor () -> Void

    fileprivate init(_ report: @escaping @MainActor () -> Void) { self.report = report }

    public func invalidate() {}
}

public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct NSKeyValueObservedChange<Value> {}

@MainActor
open class UIColor: NSObject {
    public static let systemBackground = UIColor()
    public static let systemIndigo = UIColor()
}

@MainActor
open class UIView: NSObject {
    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
    }

    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }

    open var frame = CGRect.zero
    open var bounds = CGRect.zero
    open var alpha: CGFloat = 1
    open var backgroundColor: UIColor?
    open var isUserInteractionEnabled = true
    open var autoresizingMask: AutoresizingMask = []
    open weak var superview: UIView?
    open weak var window: UIWindow? {
        didSet { didMoveToWindow() }
    }

    public init(frame: CGRect) {}

    public required init?(coder: NSCoder) {}

    open func addSubview(_ view: UIView) { view.superview = self }

    open func didMoveToWindow() {}

    open class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: AnimationOptions,
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations()
    }
}

open class UIWindow: UIView {}

open class UIScrollView: UIView {
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic, scrollableAxes, never, always
    }

    open var contentOffset = CGPoint.zero {
        didSet { observed[\UIScrollView.contentOffset]?.value?.report() }
    }
    open var contentSize = CGSize.zero
    open var contentInset = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    open var verticalScrollIndicatorInsets = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
    open var panGestureRecognizer: UIPanGestureRecognizer { UIPanGestureRecognizer() }

    /// The observations, which end with their last reference.
    private var observed: [AnyKeyPath: Weak] = [:]

    private struct Weak {
        weak var value: NSKeyValueObservation?
    }

    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {}

    /// That of Foundation, where NSObject has key-value observing.
    public func observe<Value>(
        _ keyPath: KeyPath<UIScrollView, Value>,
        options: NSKeyValueObservingOptions,
        changeHandler: @escaping (UIScrollView, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        let observation = NSKeyValueObservation { [unowned self] in changeHandler(self, NSKeyValueObservedChange()) }
        observed[keyPath] = Weak(value: observation)
        return observation
    }
}

@MainActor
open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable {
        case possible, began, changed, ended, cancelled, failed
    }

    open var state: State { .possible }

    open func addTarget(_ target: Any, action: Selector) {}

    open func removeTarget(_ target: Any?, action: Selector?) {}
}

open class UIPanGestureRecognizer: UIGestureRecognizer {
    open func velocity(in view: UIView?) -> CGPoint { .zero }
}

@MainActor
public final class CADisplayLink: NSObject {
    public init(target: Any, selector: Selector) {}

    public func add(to loop: RunLoop, forMode mode: RunLoop.Mode) {}

    public func invalidate() {}
}

@MainActor
public final class UISpringTimingParameters: NSObject {
    public init(mass: CGFloat, stiffness: CGFloat, damping: CGFloat, initialVelocity: CGVector) {}
}

@MainActor
public final class UIViewPropertyAnimator: NSObject {
    public init(duration: TimeInterval, timingParameters: UISpringTimingParameters) {}

    public func addAnimations(_ animation: @escaping () -> Void) {}

    public func startAnimation() {}
}

@MainActor
public final class UIApplication: NSObject {
    public nonisolated static let willEnterForegroundNotification = Notification.Name("foreground")
}

@MainActor
open class UIViewController: NSObject {
    open var view: UIView! = UIView(frame: .zero)

    open func viewDidLoad() {}
}

open class UITableView: UIScrollView {
    open weak var dataSource: (any UITableViewDataSource)?

    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}

    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        UITableViewCell(frame: .zero)
    }
}

open class UITableViewCell: UIView {
    open var textLabel: UILabel? { nil }
}

open class UILabel: UIView {
    open var text: String?
}

@MainActor
public protocol UITableViewDataSource: NSObjectProtocol {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
}

extension IndexPath {
    public var row: Int { 0 }
}

#if canImport(UIKit)
public import BarLayout
import Foundation
import Motion
public import UIKit

// MacTypes.h has another type with this name.
public import struct BarLayout.Point

/// Lets a bar follow a scroll view.
///
/// It observes the offset, size, insets and pan of the view, applies the insets and commands of the bar, and sends the
/// events of a frame together. Two things are left to the app: to draw the bar in `onChange`, and to keep the follower.
@MainActor
public final class BarFollower: NSObject {
    /// The session of the bar.
    public let bar: Bar
    /// Draws the bar; called in the animation of the change if there is one.
    public var onChange: @MainActor (BarResult, BarAnimation?) -> Void = { _, _ in } {
        didSet { onChange(bar.current, nil) }
    }

    /// Receives the problems of the session, such as a token that is refused.
    public var onProblem: @MainActor (Problem) -> Void = { _ in }

    private var scrollView: UIScrollView
    private(set) var id: String
    /// The views that were attached.
    private var attached: [AttachedView]
    /// The geometry that the bar knows.
    private var known: ScrollGeometry
    private var observations: [NSKeyValueObservation] = []
    /// Nil after `stop()`.
    private var updates: BarObservation?
    /// Whether the follower itself changes the view; such changes are the bar's own.
    private var isApplying = false
    private var isCorrecting = false

    /// Starts a session for a scroll view, whose insets are no longer adjusted automatically.
    ///
    /// `configuration` has the heights of the bar, and `options` its differences to AirBar. `id` is the name of the view
    /// in the session. `tracks` are the numbers that follow the bar.
    public init(
        scrollView: UIScrollView,
        configuration: BarConfiguration,
        service: Springbar,
        id: String = "main",
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks()
    ) {
        attached = [AttachedView(scrollView)]
        let scrollable = Scrollable(nearestID: id, geometry: ScrollGeometry(scrollView))
        (self.scrollView, self.id, known) = (scrollView, scrollable.id, scrollable.geometry)
        let definition = BarDefinition(
            configuration: configuration,
            scrollable: scrollable,
            options: options,
            tracks: tracks
        )
        bar = service.bar(definition)
        super.init()
        bar.requestFrame = { FrameLink.request($0) }
        carryOut(bar.created, nil)
        updates = bar.observe { [weak self] in self?.update($0) }
        observe()
        // The first offset is only remembered.
        send(.contentOffset(scrollView.contentOffset))
    }

    /// Whether the bar is expanded, or opens.
    public var isOpen: Bool { bar.current.isOpen }

    /// Puts another scroll view under the bar; `id` is its name in the session.
    ///
    /// The view before it keeps its insets until ``stop()``, so that both can be seen in a transition. After that, no view is
    /// attached.
    public func attach(_ scrollView: UIScrollView, id: String) {
        guard updates != nil, scrollView !== self.scrollView else { return }
        attached.removeAll { $0.view == nil }
        if !attached.contains(where: { $0.view === scrollView }) { attached.append(AttachedView(scrollView)) }
        endObservation()
        let scrollable = Scrollable(nearestID: id, geometry: ScrollGeometry(scrollView))
        (self.scrollView, self.id, known) = (scrollView, scrollable.id, scrollable.geometry)
        observe()
        send(BarEvent(.set(scrollable)))
        send(.contentOffset(scrollView.contentOffset))
    }

    /// Stops following, and gives the views the insets that they had; the bar and its session stay.
    public func stop() {
        endObservation()
        updates = nil
        for view in attached { view.release() }
        attached = []
    }

    private func endObservation() {
        scrollView.panGestureRecognizer.removeTarget(self, action: nil)
        observations = []
        NotificationCenter.default.removeObserver(self)
    }

    // MARK: From the view to the bar

    private func observe() {
        let report: @MainActor () -> Void = { [weak self] in self?.viewChanged() }
        // UIKit changes these properties on the main thread.
        observations = [
            scrollView.observe(\.contentOffset, options: []) { _, _ in MainActor.assumeIsolated(report) },
            scrollView.observe(\.contentSize, options: []) { _, _ in MainActor.assumeIsolated(report) },
            scrollView.observe(\.frame, options: []) { _, _ in MainActor.assumeIsolated(report) },
            scrollView.observe(\.contentInset, options: []) { _, _ in MainActor.assumeIsolated(report) },
        ]
        scrollView.panGestureRecognizer.addTarget(self, action: #selector(panned(_:)))
        let foreground = UIApplication.willEnterForegroundNotification
        NotificationCenter.default.addObserver(self, selector: #selector(entered(_:)), name: foreground, object: nil)
    }

    @objc private func entered(_ foreground: Notification) { bar.retry() }

    private func viewChanged() {
        guard !isApplying else { return }
        let geometry = ScrollGeometry(scrollView)
        let events = known.events(to: geometry)
        known = geometry
        for event in events { send(event) }
    }

    @objc private func panned(_ recognizer: UIPanGestureRecognizer) {
        // The content moves against the velocity of the finger's view.
        let velocity = recognizer.velocity(in: scrollView)
        let speed = try? Point(x: -velocity.x, y: -velocity.y)
        let state: BarEvent.PanGestureState =
            switch recognizer.state {
            case .began: .began
            case .changed: .changed
            case .ended: .ended
            case .cancelled: .cancelled
            case .failed: .failed
            default: .possible
            }
        send(BarEvent(.panGesture(state, velocity: state == .ended ? speed : nil)))
    }

    /// Expands the bar, or returns it to normal.
    public func expand(_ on: Bool) { send(BarEvent(.expand(on))) }

    private func send(_ event: BarEvent) {
        do { try bar.send(event) } catch { onProblem(error) }
    }

    // MARK: From the bar to the view

    private func update(_ update: BarUpdate) {
        switch update {
        case .corrected: isCorrecting = true
        case .changed(let result):
            let command = result.commands.last { $0.scrollableID.hasBytes(of: id) }
            let animation = command.flatMap { BarAnimation($0) } ?? (isCorrecting ? .correction : nil)
            isCorrecting = false
            carryOut(result, animation)
        case .problem(let problem, _): onProblem(problem)
        case .confirmed, .session, .connection, .settled: break
        }
    }

    private func carryOut(_ result: BarResult, _ animation: BarAnimation?) {
        guard result.scrollableID.hasBytes(of: id) else { return onChange(result, animation) }
        isApplying = true
        let (top, bottom) = (CGFloat(result.contentInset.top), CGFloat(result.contentInset.bottom))
        // Even an equal value would make the view lay out its content again.
        if scrollView.contentInset.top != top { scrollView.contentInset.top = top }
        if scrollView.contentInset.bottom != bottom { scrollView.contentInset.bottom = bottom }
        let indicator = CGFloat(result.scrollIndicatorInsetTop)
        if scrollView.verticalScrollIndicatorInsets.top != indicator {
            scrollView.verticalScrollIndicatorInsets.top = indicator
        }
        let command = result.commands.last { $0.scrollableID.hasBytes(of: id) }
        // Setting the present offset stops the deceleration.
        if command != nil { scrollView.setContentOffset(scrollView.contentOffset, animated: false) }
        animate(animation) { [scrollView, onChange] in
            if let target = command?.target { scrollView.contentOffset = CGPoint(x: target.x, y: target.y) }
            onChange(result, animation)
        }
        isApplying = false
        let geometry = ScrollGeometry(scrollView)
        // With a command the session has observed the move already. Without one, a move is the view's reaction to its
        // insets, which is reported like any other.
        if command == nil { known.contentInset = geometry.contentInset } else { known = geometry }
        viewChanged()
    }

    private func animate(_ animation: BarAnimation?, _ changes: @escaping @MainActor () -> Void) {
        switch animation {
        case nil: changes()
        case .standard(let duration):
            UIView.animate(
                withDuration: duration,
                delay: 0,
                options: [.allowUserInteraction, .beginFromCurrentState],
                animations: { changes() }
            )
        case .spring(let spring, let velocity):
            let timing = UISpringTimingParameters(
                mass: spring.mass,
                stiffness: spring.stiffness,
                damping: spring.damping,
                initialVelocity: CGVector(dx: 0, dy: velocity)
            )
            // The spring has its own duration; the argument is ignored.
            let animator = UIViewPropertyAnimator(duration: 0, timingParameters: timing)
            animator.addAnimations { changes() }
            animator.startAnimation()
        }
    }
}

/// A view of which the follower sets the insets, as long as the app has it, with its own ones.
@MainActor
private struct AttachedView {
    private(set) weak var view: UIScrollView?
    private let insets: (content: UIEdgeInsets, indicator: UIEdgeInsets)
    private let adjustment: UIScrollView.ContentInsetAdjustmentBehavior

    /// Ends the automatic adjustment of insets.
    init(_ view: UIScrollView) {
        self.view = view
        insets = (view.contentInset, view.verticalScrollIndicatorInsets)
        adjustment = view.contentInsetAdjustmentBehavior
        view.contentInsetAdjustmentBehavior = .never
    }

    /// Gives the view its own insets again.
    func release() {
        guard let view else { return }
        (view.contentInset, view.verticalScrollIndicatorInsets) = insets
        view.contentInsetAdjustmentBehavior = adjustment
        // The beginning is lower now.
        view.contentOffset.y = max(view.contentOffset.y, -view.adjustedContentInset.top)
    }
}

/// Calls a closure at the next frame of the display.
@MainActor
private final class FrameLink: NSObject {
    private let body: @MainActor () -> Void

    private init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
    }

    static func request(_ body: @escaping @MainActor () -> Void) {
        // The link keeps its target until it is invalidated.
        let link = CADisplayLink(target: FrameLink(body), selector: #selector(frame(_:)))
        link.add(to: .main, forMode: .common)
    }

    @objc private func frame(_ link: CADisplayLink) {
        link.invalidate()
        body()
    }
}

extension ScrollGeometry {
    @MainActor
    fileprivate init(_ view: UIScrollView) {
        let inset = view.contentInset
        let (start, end) = (Point(nearestX: inset.left, y: inset.top), Point(nearestX: inset.right, y: inset.bottom))
        let edges = EdgeInsets(computedTop: start.y, left: start.x, bottom: end.y, right: end.x)
        let (offset, size) = (view.contentOffset, view.contentSize)
        self.init(contentOffset: offset, contentSize: size, frame: view.frame, contentInset: edges)
    }
}
#endif

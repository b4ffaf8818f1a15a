#if canImport(UIKit)
public import BarLayout
import Foundation
import Motion
public import UIKit

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

    private let scrollView: UIScrollView
    private let id: String
    /// The geometry that the bar knows.
    private var known: ScrollGeometry
    private var observations: [NSKeyValueObservation] = []
    private var updates: BarObservation?
    /// Whether the follower itself changes the view; such changes are the bar's own.
    private var isApplying = false
    private var isCorrecting = false

    /// Starts a session for a scroll view, whose insets are no longer adjusted automatically.
    ///
    /// `configuration` has the heights of the bar, and `options` its differences to AirBar. `id` is the name of the view
    /// in the session. `tracks` are the numbers that follow the bar.
    ///
    /// - Throws: the error of a geometry that the bar does not accept.
    public init(
        scrollView: UIScrollView,
        configuration: BarConfiguration,
        service: Springbar,
        id: String = "main",
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks()
    ) throws {
        scrollView.contentInsetAdjustmentBehavior = .never
        let geometry = try ScrollGeometry(scrollView)
        self.scrollView = scrollView
        self.id = id
        known = geometry
        let scrollable = try Scrollable(id: id, geometry: geometry)
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
    }

    /// Stops following; the bar and its session stay.
    public func stop() {
        scrollView.panGestureRecognizer.removeTarget(self, action: nil)
        observations = []
        updates = nil
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
        guard !isApplying, let geometry = try? ScrollGeometry(scrollView) else { return }
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
        // The view is the attached one, so the event is not refused.
        _ = try? bar.send(event)
    }

    // MARK: From the bar to the view

    private func update(_ update: BarUpdate) {
        switch update {
        case .corrected: isCorrecting = true
        case .changed(let result):
            let command = result.commands.last { $0.scrollableID == id }
            let animation = command.flatMap { BarAnimation($0) } ?? (isCorrecting ? .correction : nil)
            isCorrecting = false
            carryOut(result, animation)
        case .confirmed, .session, .connection, .problem, .settled: break
        }
    }

    private func carryOut(_ result: BarResult, _ animation: BarAnimation?) {
        guard result.scrollableID == id else { return onChange(result, animation) }
        isApplying = true
        let (top, bottom) = (CGFloat(result.contentInset.top), CGFloat(result.contentInset.bottom))
        // Even an equal value would make the view lay out its content again.
        if scrollView.contentInset.top != top { scrollView.contentInset.top = top }
        if scrollView.contentInset.bottom != bottom { scrollView.contentInset.bottom = bottom }
        let indicator = CGFloat(result.scrollIndicatorInsetTop)
        if scrollView.verticalScrollIndicatorInsets.top != indicator {
            scrollView.verticalScrollIndicatorInsets.top = indicator
        }
        let command = result.commands.last { $0.scrollableID == id }
        // Setting the present offset stops the deceleration.
        if command != nil { scrollView.setContentOffset(scrollView.contentOffset, animated: false) }
        animate(animation) { [scrollView, onChange] in
            if let target = command?.target { scrollView.contentOffset = CGPoint(x: target.x, y: target.y) }
            onChange(result, animation)
        }
        isApplying = false
        if let geometry = try? ScrollGeometry(scrollView) {
            // With a command the session has observed the move already. Without one, a move is the view's reaction to its
            // insets, which is reported like any other.
            if command == nil { known.contentInset = geometry.contentInset } else { known = geometry }
            viewChanged()
        }
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
    fileprivate init(_ view: UIScrollView) throws(BarLayoutError) {
        let inset = view.contentInset
        let edges = try EdgeInsets(top: inset.top, left: inset.left, bottom: inset.bottom, right: inset.right)
        let (offset, size) = (view.contentOffset, view.contentSize)
        self.init(contentOffset: offset, contentSize: size, frame: view.frame, contentInset: edges)
    }
}
#endif

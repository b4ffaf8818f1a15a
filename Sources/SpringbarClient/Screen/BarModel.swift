#if canImport(SwiftUI) && canImport(UIKit)
public import BarLayout
public import Combine
import Foundation
import Motion
public import SwiftUI
import UIKit

/// A bar above a SwiftUI scroll view.
///
/// A view draws the bar from ``result``, and its scroll view's content has the modifier `followed(by:)`.
@MainActor
public final class BarModel: ObservableObject {
    /// The shown bar; nil until the scroll view is on the screen.
    @Published public private(set) var result: BarResult?
    /// The last problem of the session.
    @Published public private(set) var problem: Problem?
    /// The height of the bar in points.
    public var height: Double { result?.state.height ?? configuration.normalStateHeight }

    private let configuration: BarConfiguration
    private let follow: @MainActor (UIScrollView) -> BarFollower
    private var follower: BarFollower?

    /// A bar with these heights and a session at a service.
    public init(
        configuration: BarConfiguration,
        service: Springbar,
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks()
    ) {
        self.configuration = configuration
        follow = { view in
            BarFollower(
                scrollView: view,
                configuration: configuration,
                service: service,
                options: options,
                tracks: tracks
            )
        }
    }

    /// The session of the bar; nil until the scroll view is on the screen.
    public var bar: Bar? { follower?.bar }
    /// Expands the bar, or returns it to normal.
    public func expand(_ on: Bool) { follower?.expand(on) }

    /// Follows a scroll view, also another one that SwiftUI made later.
    fileprivate func attach(_ scrollView: UIScrollView) {
        if let follower { return follower.attach(scrollView, id: follower.id) }
        follower = follow(scrollView)
        follower?.onProblem = { [weak self] in self?.problem = $0 }
        follower?.onChange = { [weak self] result, animation in
            withAnimation(animation.map(Animation.init)) { self?.result = result }
        }
    }
}

extension View {
    /// Lets a bar follow the scroll view around this content.
    @MainActor
    public func followed(by model: BarModel) -> some View { background(ScrollViewFinder(model: model)) }
}

extension Animation {
    fileprivate init(_ animation: BarAnimation) {
        switch animation {
        case .standard(let duration): self = .easeInOut(duration: duration)
        case .spring(let spring, let velocity):
            self = .interpolatingSpring(
                mass: spring.mass,
                stiffness: spring.stiffness,
                damping: spring.damping,
                initialVelocity: velocity
            )
        }
    }
}

/// Finds the scroll view that SwiftUI created, because SwiftUI of iOS 15 neither reports nor sets its offset.
private struct ScrollViewFinder: UIViewRepresentable {
    let model: BarModel

    func makeUIView(context: Context) -> Probe { Probe(model: model) }
    func updateUIView(_ view: Probe, context: Context) {}

    /// An invisible view in the content.
    final class Probe: UIView {
        private let model: BarModel

        init(model: BarModel) {
            self.model = model
            super.init(frame: .zero)
            isUserInteractionEnabled = false
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) {
            fatalError("a probe is never in an archive")
        }

        override func didMoveToWindow() {
            super.didMoveToWindow()
            var ancestor = superview
            while let view = ancestor, !(view is UIScrollView) { ancestor = view.superview }
            if window != nil, let scrollView = ancestor as? UIScrollView { model.attach(scrollView) }
        }
    }
}
#endif

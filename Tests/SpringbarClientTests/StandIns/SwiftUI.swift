// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, OmitExplicitReturns

@_exported import Combine
@_exported import Foundation
public import UIKit

// The declarations of SwiftUI that the client and its example use, as in the SDK.

@MainActor
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { return fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView { TupleView() }

    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

public struct TupleView: PrimitiveView {}

public struct ModifiedView: PrimitiveView {}

extension View {
    /// Makes the view of a background at once; it is the last of `hostedViews`.
    public func background<Background: View>(_ background: Background) -> some View {
        if let background = background as? any UIViewRepresentable { hostedViews.append(hosted(background)) }
        return ModifiedView()
    }

    public func frame(height: CGFloat?) -> some View { ModifiedView() }

    public func ignoresSafeArea() -> some View { ModifiedView() }

    public func opacity(_ opacity: Double) -> some View { ModifiedView() }
}

public struct Animation: Sendable {
    public static func easeInOut(duration: Double) -> Animation { Animation() }

    public static func interpolatingSpring(
        mass: Double = 1,
        stiffness: Double,
        damping: Double,
        initialVelocity: Double = 0
    ) -> Animation {
        Animation()
    }
}

public func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    fileprivate init() {}
}

@MainActor
public var hostedViews: [UIView] = []

@MainActor
private func hosted<Content: UIViewRepresentable>(_ view: Content) -> UIView {
    view.makeUIView(context: UIViewRepresentableContext())
}

@MainActor
public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
}

extension UIViewRepresentable {
    public var body: Never { return fatalError() }
}

public struct Text: PrimitiveView {
    public init(_ text: String) {}
}

public struct Color: PrimitiveView {
    public static let indigo = Color()
}

public struct ScrollView<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct LazyVStack<Content: View>: PrimitiveView {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ZStack<Content: View>: PrimitiveView {
    public init(alignment: Alignment, @ViewBuilder content: () -> Content) {}
}

public struct Alignment: Sendable {
    public static let top = Alignment()
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: PrimitiveView {
    public init(_ data: Data, id: KeyPath<Data.Element, Data.Element>, @ViewBuilder content: (Data.Element) -> Content)
    {}
}

@MainActor
@propertyWrapper
public struct StateObject<Object: ObservableObject> {
    public var wrappedValue: Object

    public init(wrappedValue: @autoclosure @escaping () -> Object) { self.wrappedValue = wrappedValue() }
}

@MainActor
public protocol Scene {
    associatedtype Body: Scene
    var body: Body { get }
}

extension Never: Scene {}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}

    public var body: Never { return fatalError() }
}

@MainActor
public protocol App {
    associatedtype Body: Scene
    var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

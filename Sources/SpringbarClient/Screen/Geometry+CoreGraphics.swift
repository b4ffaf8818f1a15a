public import BarLayout
public import Foundation

// Foundation of Apple's platforms has other types with these names, from MacTypes.h.
public import struct BarLayout.Point
public import struct BarLayout.Rect
public import struct BarLayout.Size

// The geometry of an app without errors: values beyond the limits become the nearest ones, and NaN becomes 0.

extension Point {
    /// The nearest point within the limits.
    public init(_ point: CGPoint) { self.init(nearestX: point.x, y: point.y) }
}

extension Size {
    /// The nearest size within the limits.
    public init(_ size: CGSize) { self.init(nearestWidth: size.width, height: size.height) }
}

extension Rect {
    /// The nearest rectangle within the limits.
    public init(_ rect: CGRect) {
        let (origin, size) = (rect.origin, rect.size)
        self.init(nearestX: origin.x, y: origin.y, width: size.width, height: size.height)
    }
}

extension ScrollGeometry {
    /// The geometry of a view, by default without insets.
    public init(contentOffset: CGPoint, contentSize: CGSize, frame: CGRect, contentInset: EdgeInsets = .zero) {
        self.init(
            contentOffset: Point(contentOffset),
            contentSize: Size(contentSize),
            frame: Rect(frame),
            contentInset: contentInset
        )
    }
}

extension ScrollGeometry {
    /// Returns the events of the parts that differ in another geometry of the view; the offset is the last one, because
    /// the rules of its move read the others.
    func events(to next: ScrollGeometry) -> [BarEvent] {
        var events: [BarEvent] = []
        if next.frame != frame { events.append(BarEvent(.frame(next.frame))) }
        if next.contentInset != contentInset { events.append(BarEvent(.contentInset(next.contentInset))) }
        if next.contentSize != contentSize { events.append(BarEvent(.contentSize(next.contentSize))) }
        if next.contentOffset != contentOffset { events.append(BarEvent(.contentOffset(next.contentOffset))) }
        return events
    }
}

extension BarEvent {
    /// The content moved to an offset.
    public static func contentOffset(_ offset: CGPoint) -> BarEvent { BarEvent(.contentOffset(Point(offset))) }
    /// The size of the content changed.
    public static func contentSize(_ size: CGSize) -> BarEvent { BarEvent(.contentSize(Size(size))) }
    /// The frame of the view changed.
    public static func frame(_ frame: CGRect) -> BarEvent { BarEvent(.frame(Rect(frame))) }
}

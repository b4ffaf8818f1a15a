import BarLayout

/// Turns the geometry of a scroll view into events: those of the parts that changed since the last call.
struct GeometryTracker: Sendable {
    private(set) var geometry: ScrollGeometry

    init(_ geometry: ScrollGeometry) {
        self.geometry = geometry
    }

    /// Returns the events of the changed parts; the offset is the last one, because the rules of its move read the others.
    mutating func events(for next: ScrollGeometry) -> [BarEvent] {
        var events: [BarEvent] = []
        if next.frame != geometry.frame { events.append(BarEvent(.frame(next.frame))) }
        if next.contentInset != geometry.contentInset { events.append(BarEvent(.contentInset(next.contentInset))) }
        if next.contentSize != geometry.contentSize { events.append(BarEvent(.contentSize(next.contentSize))) }
        if next.contentOffset != geometry.contentOffset { events.append(BarEvent(.contentOffset(next.contentOffset))) }
        geometry = next
        return events
    }

    /// Takes over a geometry that the bar itself caused.
    mutating func adopt(_ next: ScrollGeometry) {
        geometry = next
    }

    /// Takes over the insets that the bar itself set.
    mutating func adoptInset(of next: ScrollGeometry) {
        geometry = ScrollGeometry(
            contentOffset: geometry.contentOffset,
            contentSize: geometry.contentSize,
            frame: geometry.frame,
            contentInset: next.contentInset
        )
    }
}

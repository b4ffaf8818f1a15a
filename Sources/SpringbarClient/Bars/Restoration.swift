import BarLayout

// Replaces a session that has ended: a definition that creates a new one, and events that restore the state of the bar.
//
// Endless content is attached at its top, so the bar follows it point by point to its height. The real view is attached
// last. This moves neither the bar nor, after the following offset, the content.

/// A definition and events that make a bar like another one.
struct Restoration {
    let definition: BarDefinition
    let events: [BarEvent]

    /// The restoration of a bar; all values come from it, so they are within their limits.
    init(of bar: BarSession, ttlSeconds: Int?) throws(BarLayoutError) {
        let view = bar.scrollable
        let geometry = view.geometry
        let configuration = bar.configuration
        let normal = -configuration.normalStateHeight
        let x = geometry.contentOffset.x
        func scroll(to y: Double) throws(BarLayoutError) -> BarEvent {
            BarEvent(.contentOffset(try Point(x: x, y: y)))
        }
        let inset = geometry.contentInset
        let blank = ScrollGeometry(
            contentOffset: try Point(x: x, y: normal),
            contentSize: try Size(width: geometry.contentSize.width, height: Coordinate.limit),
            frame: geometry.frame,
            contentInset: try EdgeInsets(top: inset.top, left: inset.left, bottom: 0, right: inset.right)
        )
        definition = BarDefinition(
            configuration: configuration,
            scrollable: try Scrollable(id: view.id, geometry: blank),
            feedback: bar.feedback,
            options: bar.options,
            tracks: bar.tracks,
            ttlSeconds: ttlSeconds
        )

        var events = [try scroll(to: normal)]
        let state = bar.state
        if state.isExpandedStateAvailable || state.offset < normal {
            events.append(BarEvent(.panGesture(.began, velocity: nil)))
        }
        // A bar that was stretched by a pull is stretched again by the next event.
        let height = min(state.height, configuration.expandedStateHeight)
        if -height != normal { events.append(try scroll(to: -height)) }
        let real = ScrollGeometry(
            contentOffset: geometry.contentOffset,
            contentSize: geometry.contentSize,
            frame: geometry.frame,
            contentInset: try EdgeInsets(
                top: inset.top,
                left: inset.left,
                bottom: bar.snapshot.baseInsetBottom,
                right: inset.right
            )
        )
        events.append(BarEvent(.set(try Scrollable(id: view.id, geometry: real))))
        if bar.snapshot.previousContentOffset != nil {
            events.append(BarEvent(.contentOffset(geometry.contentOffset)))
        }
        self.events = events
    }
}

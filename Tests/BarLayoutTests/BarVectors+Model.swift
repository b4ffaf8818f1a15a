import BarLayout
import Testing

/// The error for a word of the vector file that the reader does not know.
struct UnknownWord: Error {
    let word: String
}

extension BarVectors.Case {
    /// The session of this case, right after its creation.
    func attached(explaining: Bool = false) throws -> (session: BarSession, outcome: BarOutcome) {
        var tracks = Tracks()
        for (name, ranges) in (self.tracks ?? [:]).sorted(by: { $0.key < $1.key }) {
            let curve = Track.Curve.ranges(
                compactNormal: try ranges.compactNormalRange.model,
                normalExpanded: try ranges.normalExpandedRange.model
            )
            try tracks.set(Track(name: name, curve: curve))
        }
        return BarSession.attached(
            to: try scrollable.model,
            configuration: try BarConfiguration(
                compactStateHeight: configuration.compactStateHeight,
                normalStateHeight: configuration.normalStateHeight,
                expandedStateHeight: configuration.expandedStateHeight
            ),
            feedback: closedLoop ? .applied : .echoed,
            tracks: tracks,
            rules: .test,
            explaining: explaining
        )
    }
}

extension BarVectors.Range {
    var model: ValueRange {
        get throws {
            if let value { return .value(value) }
            let ends = try #require(range)
            return .range(ends[0], ends[1])
        }
    }
}

extension BarVectors.XY {
    var model: Point { get throws { try Point(x: x, y: y) } }
}

extension BarVectors.Extent {
    var model: Size { get throws { try Size(width: width, height: height) } }
}

extension BarVectors.Frame {
    var model: Rect { get throws { try Rect(x: x, y: y, width: width, height: height) } }
}

extension BarVectors.Insets {
    var model: EdgeInsets { get throws { try EdgeInsets(top: top, left: left, bottom: bottom, right: right) } }
}

extension BarVectors.View {
    var model: Scrollable {
        get throws {
            let geometry = ScrollGeometry(
                contentOffset: try contentOffset.model,
                contentSize: try contentSize.model,
                frame: try frame.model,
                contentInset: try contentInset.model
            )
            return try Scrollable(id: id, geometry: geometry)
        }
    }
}

extension BarVectors.Event {
    var model: BarEvent {
        get throws {
            switch type {
            case "contentOffset": BarEvent(.contentOffset(try #require(contentOffset).model))
            case "contentSize": BarEvent(.contentSize(try #require(contentSize).model))
            case "frame": BarEvent(.frame(try #require(frame).model))
            case "contentInset": BarEvent(.contentInset(try #require(contentInset).model))
            case "panGesture": BarEvent(.panGesture(try #require(gesture), velocity: nil))
            case "expand": BarEvent(.expand(try #require(on as Bool?)))
            case "set": BarEvent(.set(try #require(scrollable).model))
            case "preconfigure": BarEvent(.preconfigure(try #require(scrollable).model))
            default: throw UnknownWord(word: type)
            }
        }
    }

    private var gesture: BarEvent.PanGestureState? { state.flatMap(BarEvent.PanGestureState.init(rawValue:)) }
}

extension BarRules {
    /// Projection and relative velocity by the formulas of "Designing Fluid Interfaces" (WWDC 2018).
    static let test = BarRules(
        project: { velocity, rate in velocity / 1000 * rate.value / (1 - rate.value) },
        relativeVelocity: { velocity, current, target in
            current == target ? 0 : velocity / (target - current)
        }
    )
}

import BarLayout
import Testing

/// The error for a word of the vector file that the reader does not know.
struct UnknownWord: Error {
    let word: String
}

extension BarVectors.Case {
    /// The session of this case, right after its creation.
    func attached(explaining: Bool = false) throws -> (session: BarSession, outcome: BarOutcome) {
        BarSession.attached(
            to: try scrollable.model,
            configuration: try configuration.model,
            feedback: closedLoop ? .applied : .echoed,
            tracks: try Tracks(tracks ?? [:]),
            rules: .test,
            explaining: explaining
        )
    }
}

extension Tracks {
    /// The tracks of a case, in the order of their names.
    init(_ tracks: [String: BarVectors.Ranges]) throws {
        self.init()
        for (name, ranges) in tracks.sorted(by: { $0.key < $1.key }) {
            let curve: Track.Curve
            if let points = ranges.keyframes {
                curve = .keyframes(
                    try Keyframes(points.map { try Keyframe(progress: $0.progress, value: $0.value) })
                )
            } else {
                curve = .ranges(
                    compactNormal: try #require(ranges.compactNormalRange).model,
                    normalExpanded: try #require(ranges.normalExpandedRange).model
                )
            }
            try set(Track(name: name, curve: curve))
        }
    }
}

extension BarVectors.Heights {
    var model: BarConfiguration {
        get throws {
            try BarConfiguration(
                compactStateHeight: compactStateHeight,
                normalStateHeight: normalStateHeight,
                expandedStateHeight: expandedStateHeight
            )
        }
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

    /// The insets of a snapshot, which may be computed.
    var computed: EdgeInsets { EdgeInsets(computedTop: top, left: left, bottom: bottom, right: right) }
}

extension BarVectors.View {
    var model: Scrollable {
        get throws { try scrollable(at: contentOffset.model, contentInset?.model ?? .zero) }
    }

    /// The view of a snapshot; its offset and insets may be computed.
    var computed: Scrollable {
        get throws {
            try scrollable(
                at: Point(computedX: contentOffset.x, y: contentOffset.y),
                contentInset?.computed ?? .zero
            )
        }
    }

    private func scrollable(at offset: Point, _ inset: EdgeInsets) throws -> Scrollable {
        let geometry = ScrollGeometry(
            contentOffset: offset,
            contentSize: try contentSize.model,
            frame: try frame.model,
            contentInset: inset
        )
        return try Scrollable(id: id, geometry: geometry)
    }
}

extension BarVectors.Event {
    var model: BarEvent {
        get throws {
            try BarEvent(action, source: source.flatMap(BarEvent.Source.init) ?? .user, scrollableID: scrollableId)
        }
    }

    private var action: BarEvent.Action {
        get throws {
            switch type {
            case "contentOffset": .contentOffset(try #require(contentOffset).model)
            case "contentSize": .contentSize(try #require(contentSize).model)
            case "frame": .frame(try #require(frame).model)
            case "contentInset": .contentInset(try #require(contentInset).model)
            case "panGesture": .panGesture(try #require(gesture), velocity: try velocity?.model)
            case "expand": .expand(try #require(on as Bool?))
            case "set": .set(try #require(scrollable).model)
            case "preconfigure": .preconfigure(try #require(scrollable).model)
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

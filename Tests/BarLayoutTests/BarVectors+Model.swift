import BarLayout
import Testing

/// The error for a word of the vector file that the reader does not know.
struct UnknownWord: Error {
    let word: String
}

extension BarVectors.Body {
    /// The bar of this creation, and the outcome of its attachment if there is one.
    func bar(explaining: Bool = false) throws -> (session: BarSession, outcome: BarOutcome) {
        let (configuration, options) = (try configuration.model, try options?.model ?? .airBar)
        let feedback = try #require(Feedback(rawValue: feedback ?? (closedLoop == false ? "echoed" : "applied")))
        let tracks = try Tracks(tracks ?? [:])
        guard let snapshot else {
            return BarSession.attached(
                to: try #require(scrollable).model,
                configuration: configuration,
                feedback: feedback,
                options: options,
                tracks: tracks,
                rules: .test,
                explaining: explaining
            )
        }
        let state = try snapshot.model(configuration)
        return (BarSession(restoring: state, feedback: feedback, options: options, tracks: tracks), BarOutcome())
    }
}

extension BarVectors.Expectation {
    /// Compares a result with this one; without a tolerance it must be the same in all members.
    func check(_ bar: BarSession, _ outcome: BarOutcome, tolerance: Double?, _ place: Comment) throws {
        let isWhole = tolerance == nil
        func near(_ value: Double, _ other: Double?) -> Bool { abs(value - (other ?? .nan)) <= tolerance ?? 0 }
        func check(_ view: WrittenInsets, _ id: String, _ inset: EdgeInsets, _ indicators: Double) {
            #expect(view.id == (isWhole ? id : nil), place)
            for (value, other) in zip([inset.top, inset.bottom, indicators], view.numbers) {
                #expect(near(value, other), place)
            }
        }
        #expect(near(bar.state.offset, state.offset), place)
        #expect(near(bar.state.height, state.height), place)
        #expect(bar.state.isExpandedStateAvailable == state.isExpandedStateAvailable, place)
        #expect(near(bar.state.transitionProgress, state.transitionProgress), place)
        #expect(bar.state.stateRange.rawValue == state.stateRange, place)
        check(scrollable, bar.scrollable.id, bar.scrollable.geometry.contentInset, bar.scrollIndicatorInsetTop)

        try #require(outcome.commands.count == commands.count, place)
        for (command, other) in zip(outcome.commands, commands) {
            #expect(other.type == "updateContentOffset" && command.animated == other.animated, place)
            #expect(near(command.target.x, other.x) && near(command.target.y, other.y), place)
            #expect(command.scrollableID == other.scrollableId ?? other.scrollable ?? bar.scrollable.id, place)
            guard isWhole else { continue }
            #expect(command.duration == other.duration, place)
            let spring = command.spring.map {
                ["dampingRatio": $0.dampingRatio, "response": $0.response, "relativeVelocity": $0.relativeVelocity]
            }
            #expect(spring == other.spring, place)
        }
        if let other = preconfigured {
            let view = try #require(outcome.preconfigured, place)
            check(other, view.scrollableID, view.contentInset, view.scrollIndicatorInsetTop)
        }
        for (name, value) in values ?? [:] {
            let track = try #require(bar.tracks[name], place)
            #expect(near(track.value(at: bar.state), value), place)
        }
        guard isWhole else { return }
        let crossings = outcome.crossings.map {
            [
                "from": $0.from.rawValue, "to": $0.to.rawValue,
                "direction": $0.isExpanding ? "expanding" : "collapsing",
            ]
        }
        #expect(crossings == self.crossings ?? [], place)
        #expect((preconfigured == nil) == (outcome.preconfigured == nil), place)
        #expect(bar.tracks.all.count == values?.count ?? 0, place)
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

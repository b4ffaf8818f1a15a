import BarLayout
import Foundation
import TestSupport
import Testing

/// The cases of `Tests/Vectors/options.json`: bars with every option, and their results to the last bit.
struct OptionVectors: Decodable {
    let cases: [Case]

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let body: Body
        let created: Result
        let steps: [Step]
        let snapshot: Snapshot

        var testDescription: String { name }
    }

    struct Step: Decodable, Sendable {
        let event: BarVectors.Event
        /// Absent if the event is refused.
        let expect: Result?
    }

    struct Body: Decodable, Sendable {
        let configuration: BarVectors.Heights
        let scrollable: BarVectors.View?
        let snapshot: Snapshot?
        let feedback: String?
        let options: Options?
        let tracks: [String: BarVectors.Ranges]?
    }

    struct Options: Decodable, Sendable {
        let snap: String?
        let decelerationRate: Rate?
        let snapSequential: Bool?
        let snapOnCancel: Bool?
        let clampTargets: Bool?
        let reopen: String?
        let tolerance: Double?
        let resistance: Pull?
        let fixes: [String]?

        struct Pull: Decodable, Sendable {
            let dimension: Double
            let constant: Double
        }

        /// A rate by its number or its name.
        struct Rate: Decodable, Sendable {
            let model: DecelerationRate

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                guard let name = try? container.decode(String.self) else {
                    model = try DecelerationRate(container.decode(Double.self))
                    return
                }
                model = name == "fast" ? .fast : .normal
            }
        }

        var model: BarOptions {
            get throws {
                let snaps: [String: BarOptions.Snap] = [
                    "nearest": .nearest, "projected": .projected(decelerationRate?.model ?? .normal), "none": .none,
                ]
                return BarOptions(
                    snap: try #require(snaps[snap ?? "nearest"]),
                    snapSequential: snapSequential ?? false,
                    snapOnCancel: snapOnCancel ?? false,
                    clampTargets: clampTargets ?? false,
                    reopen: try #require(BarOptions.Reopening(rawValue: reopen ?? "anywhere")),
                    tolerance: try Tolerance(points: tolerance ?? 0),
                    resistance: try resistance.map { try Resistance(dimension: $0.dimension, constant: $0.constant) },
                    fixes: try (fixes ?? []).reduce(into: []) { fixes, name in
                        fixes.insert(try #require(BarOptions.Fixes.names.first { $0.key == name }).value)
                    }
                )
            }
        }
    }

    struct Snapshot: Decodable, Sendable {
        let offset: Double
        let isExpandedStateAvailable: Bool
        let scrollable: BarVectors.View
        let previousContentOffset: BarVectors.XY?
        let previousContentSize: BarVectors.Extent?
        let baseInsetBottom: Double?

        func model(_ configuration: BarConfiguration) throws -> BarSession.Snapshot {
            BarSession.Snapshot(
                state: BarState(
                    offset: offset,
                    isExpandedStateAvailable: isExpandedStateAvailable,
                    configuration: configuration
                ),
                scrollable: try scrollable.computed,
                previousContentOffset: previousContentOffset.map { Point(computedX: $0.x, y: $0.y) },
                previousContentSize: try previousContentSize?.model,
                baseInsetBottom: baseInsetBottom ?? 0
            )
        }
    }

    /// The members of an answer that an event determines.
    struct Result: Decodable, Sendable, Equatable {
        let state: BarVectors.Expectation.State
        let scrollable: View
        let commands: [Command]
        let crossings: [Crossing]?
        let preconfigured: View?
        let values: [String: Double]?

        struct View: Decodable, Sendable, Equatable {
            let id: String
            let contentInset: [String: Double]
            let scrollIndicatorInsets: [String: Double]
        }

        struct Command: Decodable, Sendable, Equatable {
            let scrollableId: String
            let x: Double
            let y: Double
            let animated: Bool
            let duration: Double
            let spring: [String: Double]?
        }

        struct Crossing: Decodable, Sendable, Equatable {
            let from: String
            let to: String
            let direction: String
        }
    }
}

extension OptionVectors.Body {
    /// The bar of this creation, and the outcome of its attachment if there is one.
    func bar() throws -> (session: BarSession, outcome: BarOutcome) {
        let (configuration, options) = (try configuration.model, try options?.model ?? .airBar)
        let feedback = try #require(Feedback(rawValue: feedback ?? "applied"))
        let tracks = try Tracks(tracks ?? [:])
        guard let snapshot else {
            return BarSession.attached(
                to: try #require(scrollable).model,
                configuration: configuration,
                feedback: feedback,
                options: options,
                tracks: tracks,
                rules: .test
            )
        }
        let state = try snapshot.model(configuration)
        return (BarSession(restoring: state, feedback: feedback, options: options, tracks: tracks), BarOutcome())
    }
}

extension OptionVectors.Result {
    init(_ bar: BarSession, _ outcome: BarOutcome, tracks: [String]) {
        let (inset, indicators) = (bar.scrollable.geometry.contentInset, bar.scrollIndicatorInsetTop)
        state = BarVectors.Expectation.State(
            offset: bar.state.offset,
            height: bar.state.height,
            isExpandedStateAvailable: bar.state.isExpandedStateAvailable,
            transitionProgress: bar.state.transitionProgress,
            stateRange: bar.state.stateRange.rawValue
        )
        scrollable = View(bar.scrollable.id, inset, indicators)
        commands = outcome.commands.map { command in
            Command(
                scrollableId: command.scrollableID,
                x: command.target.x,
                y: command.target.y,
                animated: command.animated,
                duration: command.duration,
                spring: command.spring.map {
                    [
                        "dampingRatio": $0.dampingRatio, "response": $0.response,
                        "relativeVelocity": $0.relativeVelocity,
                    ]
                }
            )
        }
        let passed = outcome.crossings.map {
            Crossing(
                from: $0.from.rawValue,
                to: $0.to.rawValue,
                direction: $0.isExpanding ? "expanding" : "collapsing"
            )
        }
        crossings = passed.isEmpty ? nil : passed
        preconfigured = outcome.preconfigured.map { View($0.scrollableID, $0.contentInset, $0.scrollIndicatorInsetTop) }
        let numbers = Dictionary(
            uniqueKeysWithValues: tracks.compactMap { name in bar.tracks[name].map { (name, $0.value(at: bar.state)) } }
        )
        values = numbers.isEmpty ? nil : numbers
    }
}

extension OptionVectors.Result.View {
    fileprivate init(_ id: String, _ inset: EdgeInsets, _ indicators: Double) {
        self.init(
            id: id,
            contentInset: ["top": inset.top, "bottom": inset.bottom],
            scrollIndicatorInsets: ["top": indicators]
        )
    }
}

@Suite("Options that differ from AirBar, in the golden cases")
struct OptionVectorTests {
    static let vectors = Result { try JSONDecoder().decode(OptionVectors.self, from: VectorFile.options.data()) }

    static var cases: [OptionVectors.Case] { (try? vectors.get().cases) ?? [] }

    @Test("the file holds the cases")
    func count() throws {
        #expect(try Self.vectors.get().cases.count > 130)
    }

    @Test("every event has its result, and at the end the bar has its snapshot", arguments: cases)
    func trace(_ testCase: OptionVectors.Case) throws {
        let names = Array((testCase.body.tracks ?? [:]).keys)
        var (bar, outcome) = try testCase.body.bar()
        #expect(OptionVectors.Result(bar, outcome, tracks: names) == testCase.created)
        for (index, step) in testCase.steps.enumerated() {
            let event = try step.event.model
            guard let expected = step.expect else {
                let before = bar
                #expect(throws: BarLayoutError.self) { try bar.apply(event, rules: .test) }
                #expect(bar == before)
                continue
            }
            outcome = try bar.apply(event, rules: .test)
            #expect(OptionVectors.Result(bar, outcome, tracks: names) == expected, "step \(index)")
        }
        let configuration = try testCase.body.configuration.model
        #expect(bar.snapshot.limited == (try testCase.snapshot.model(configuration)))
    }
}

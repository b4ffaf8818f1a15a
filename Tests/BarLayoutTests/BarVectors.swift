import BarLayout
import Foundation
import TestSupport
import Testing

/// The golden cases: traces with the results of AirBar's own controller, or of bars with every option.
struct BarVectors: Decodable {
    /// The largest difference of a number; nil for results to the last bit.
    let tolerance: Double?
    let cases: [Case]

    static func load(_ file: VectorFile) throws -> BarVectors {
        try JSONDecoder().decode(BarVectors.self, from: file.data())
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let body: Body
        let created: Expectation
        let steps: [Step]
        let snapshot: Snapshot?

        private enum Member: CodingKey { case name, body, created, steps, snapshot }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            name = try members.decode(String.self, forKey: .name)
            // A case of AirBar has the members of the body itself.
            body = try members.decodeIfPresent(Body.self, forKey: .body) ?? Body(from: decoder)
            created = try members.decode(Expectation.self, forKey: .created)
            steps = try members.decode([Step].self, forKey: .steps)
            snapshot = try members.decodeIfPresent(Snapshot.self, forKey: .snapshot)
        }

        var testDescription: String { name }
    }

    struct Body: Decodable, Sendable {
        let configuration: Heights
        let scrollable: View?
        let snapshot: Snapshot?
        let closedLoop: Bool?
        let feedback: String?
        let options: Options?
        let tracks: [String: Ranges]?
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
        let scrollable: View
        let previousContentOffset: XY?
        let previousContentSize: Extent?
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

    struct Heights: Decodable, Sendable {
        let compactStateHeight: Double
        let normalStateHeight: Double
        let expandedStateHeight: Double
    }

    struct Ranges: Decodable, Sendable {
        let compactNormalRange: Range?
        let normalExpandedRange: Range?
        let keyframes: [Point]?

        struct Point: Decodable, Sendable {
            let progress: Double
            let value: Double
        }
    }

    struct Range: Decodable, Sendable {
        let range: [Double]?
        let value: Double?
    }

    struct XY: Decodable, Sendable {
        let x: Double
        let y: Double
    }

    struct Extent: Decodable, Sendable {
        let width: Double
        let height: Double
    }

    struct Frame: Decodable, Sendable {
        let x: Double
        let y: Double
        let width: Double
        let height: Double
    }

    struct Insets: Decodable, Sendable {
        let top: Double
        let left: Double
        let bottom: Double
        let right: Double
    }

    struct View: Decodable, Sendable {
        let id: String
        let contentOffset: XY
        let contentSize: Extent
        let frame: Frame
        let contentInset: Insets?
    }

    struct Step: Decodable, Sendable {
        let event: Event
        /// Absent if the event is refused.
        let expect: Expectation?
    }

    struct Event: Decodable, Sendable {
        let type: String
        let contentOffset: XY?
        let contentSize: Extent?
        let frame: Frame?
        let contentInset: Insets?
        let state: String?
        let on: Bool?
        let scrollable: View?
        let velocity: XY?
        let source: String?
        let scrollableId: String?
    }

    /// The members of an answer that an event determines; those of AirBar have no ids, durations and crossings.
    struct Expectation: Decodable, Sendable {
        let state: State
        let scrollable: WrittenInsets
        let commands: [Command]
        let crossings: [[String: String]]?
        let preconfigured: WrittenInsets?
        let values: [String: Double]?

        struct State: Decodable, Sendable {
            let offset: Double
            let height: Double
            let isExpandedStateAvailable: Bool
            let transitionProgress: Double
            let stateRange: String
        }

        struct WrittenInsets: Decodable, Sendable {
            let id: String?
            let contentInset: [String: Double]?
            let scrollIndicatorInsets: [String: Double]?
            let contentInsetTop: Double?
            let contentInsetBottom: Double?
            let scrollIndicatorInsetTop: Double?

            /// The top, the bottom, and the top of the indicators.
            var numbers: [Double?] {
                [
                    contentInsetTop ?? contentInset?["top"], contentInsetBottom ?? contentInset?["bottom"],
                    scrollIndicatorInsetTop ?? scrollIndicatorInsets?["top"],
                ]
            }
        }

        struct Command: Decodable, Sendable {
            let type: String
            let x: Double
            let y: Double
            let animated: Bool
            let scrollable: String?
            let scrollableId: String?
            let duration: Double?
            let spring: [String: Double]?
        }
    }
}

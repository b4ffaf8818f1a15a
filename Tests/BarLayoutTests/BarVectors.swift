import BarLayout
import Foundation
import TestSupport
import Testing

/// The golden cases: traces with the results of AirBar's own controller.
struct BarVectors: Decodable {
    let tolerance: Double
    let cases: [Case]

    static func load() throws -> BarVectors {
        try JSONDecoder().decode(BarVectors.self, from: VectorFile.bar.data())
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let configuration: Heights
        let closedLoop: Bool
        let tracks: [String: Ranges]?
        let scrollable: View
        let created: Expectation
        let steps: [Step]

        var testDescription: String { name }
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
        let expect: Expectation
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

    struct Expectation: Decodable, Sendable {
        let state: State
        let scrollable: WrittenInsets
        let commands: [Command]
        let preconfigured: WrittenInsets?
        let values: [String: Double]?

        struct State: Decodable, Sendable, Equatable {
            let offset: Double
            let height: Double
            let isExpandedStateAvailable: Bool
            let transitionProgress: Double
            let stateRange: String
        }

        struct WrittenInsets: Decodable, Sendable {
            let contentInsetTop: Double
            let contentInsetBottom: Double
            let scrollIndicatorInsetTop: Double
        }

        struct Command: Decodable, Sendable {
            let type: String
            let x: Double
            let y: Double
            let animated: Bool
            let scrollable: String?
        }
    }
}

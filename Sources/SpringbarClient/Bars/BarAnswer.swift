import BarLayout
import ClientJSON

struct BarAnswer: Sendable, Equatable {
    let id: String?
    let revision: Int
    let lastSequence: Int
    let report: ReportedBar
    let commands: [BarCommand]
    let values: [BarResult.Value]
    /// All values that the bar keeps, if the service was asked for its state.
    let snapshot: JSONDocument?

    init(_ json: JSONDocument) throws {
        id = json["id"]?.string
        revision = try required(json["revision"]?.integer)
        lastSequence = try required(json["lastSequence"]?.integer)
        let (state, scrollable) = (json["state"], json["scrollable"])
        let inset = scrollable?["contentInset"]
        report = try ReportedBar(
            offset: state.number("offset"),
            isExpandedStateAvailable: required(state?["isExpandedStateAvailable"]?.bool),
            scrollableID: required(scrollable?["id"]?.string),
            contentInsetTop: inset.number("top"),
            contentInsetBottom: inset.number("bottom")
        )
        commands = try (json["commands"]?.array ?? []).map { try BarCommand($0) }
        snapshot = json["snapshot"]
        values = try (json["values"]?.members ?? []).map {
            BarResult.Value(name: $0.name, number: try required($0.value.double))
        }
    }
}

extension BarCommand {
    fileprivate init(_ json: JSONDocument) throws {
        let spring = try json["spring"].map { (spring: JSONDocument?) in
            SnapSpring(
                dampingRatio: try spring.number("dampingRatio"),
                response: try spring.number("response"),
                relativeVelocity: try spring.number("relativeVelocity")
            )
        }
        let (x, y) = (try required(json["x"]?.double), try required(json["y"]?.double))
        self.init(
            scrollableID: try required(json["scrollableId"]?.string),
            target: Point(computedX: x, y: y),
            animated: try required(json["animated"]?.bool),
            spring: spring
        )
    }
}

struct LogPage: Sendable, Equatable {
    let entries: [Entry]
    let hasMore: Bool

    enum Entry: Sendable, Equatable {
        /// The event is nil if this version of the client does not know its form.
        case event(BarEvent?, sequence: Int)
        case tracks([TrackChange], revision: Int)
    }

    init(_ json: JSONDocument) throws {
        hasMore = try required(json["hasMore"]?.bool)
        entries = try required(json["events"]?.array).map { entry in
            if entry["type"]?.string == "tracks" {
                let changes = try required(entry["tracks"]).members.map { try TrackChange($0) }
                return .tracks(changes, revision: try required(entry["revision"]?.integer))
            }
            return .event(try? BarEvent(entry), sequence: try required(entry["sequence"]?.integer))
        }
    }
}

struct NumberedEvent: Sendable, Equatable {
    let sequence: Int
    let event: BarEvent
}

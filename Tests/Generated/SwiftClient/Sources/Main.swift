import Foundation
import SpringbarAPI

/// Uses the generated Swift client against the running service at the URL in the first argument; fails at the first
/// difference.
@main
struct Main {
    static func main() async throws {
        SpringbarAPIAPIConfiguration.shared.basePath = CommandLine.arguments[1]
        try await useBars()
        try await usePhotos()
        try await useMotion()
        print("done")
    }

    static let view = Scrollable(
        contentOffset: Point(x: 0, y: -200),
        contentSize: Size(width: 375, height: 4800),
        frame: Rectangle(x: 0, y: 0, width: 375, height: 667)
    )
    static let heights = BarConfiguration(compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300)

    static func offset(_ y: Double, _ sequence: Int) -> BarEvent {
        BarEvent(type: .contentoffset, sequence: sequence, contentOffset: Point(x: 0, y: y))
    }

    static func useBars() async throws {
        let bar = try await BarsAPI.createBar(barBlueprint: BarBlueprint(configuration: heights, scrollable: view))
        check(bar.state.height == 200 && bar.expiresAt != nil, bar)
        let began = BarEvent(type: .pangesture, sequence: 1, state: .began)
        let drag = EventSubmission(events: [began, offset(-200, 2), offset(-140, 3)])
        let moved = try await BarsAPI.postEvents(id: bar.id, eventSubmission: drag)
        check(moved.state.height == 140 && moved.replayed == nil, moved)
        let replayed = try await BarsAPI.postEvents(id: bar.id, eventSubmission: drag)
        check(replayed.replayed == true, replayed)
        let lifted = try await BarsAPI.postEvents(
            id: bar.id,
            eventSubmission: EventSubmission(type: .pangesture, state: .ended)
        )
        check(lifted.commands?.first?.y == -100, lifted)
        let read = try await BarsAPI.getBar(id: bar.id)
        check(read.revision == 4, read)
        let log = try await BarsAPI.getEvents(id: bar.id)
        check(log.events.map(\.type) == [.pangesture, .contentoffset, .contentoffset, .pangesture], log)
        let trial = BarTrial(configuration: heights, scrollable: view, events: [offset(-200, 1), offset(-150, 2)])
        let applied = try await BarsAPI.applyEvents(barTrial: trial)
        check(applied.id == nil && applied.results.map(\.state.height) == [200, 150], applied)
        let gap = await problem { _ = try await BarsAPI.postEvents(id: bar.id, eventSubmission: submission(9)) }
        check(gap?.type == "/problems/sequence-gap" && gap?.expectedSequence == 5, gap)
        try await BarsAPI.deleteBar(id: bar.id)
        let gone = await problem { _ = try await BarsAPI.getBar(id: bar.id) }
        check(gone?.status == 404, gone)
    }

    static func submission(_ sequence: Int) -> EventSubmission {
        EventSubmission(type: .contentoffset, sequence: sequence, contentOffset: Point(x: 0, y: 0))
    }

    static func usePhotos() async throws {
        let first = try await PhotosAPI.getPhotos(limit: 2)
        let second = try await PhotosAPI.getPhotos(cursor: first.page.nextCursor, limit: 2)
        let ids = (first.items + second.items).map(\.id)
        check(Set(ids).count == 4, ids)
        let thumb = try await PhotosAPI.getImageVariant(id: ids[0], variant: .thumb)
        let narrow = try await PhotosAPI.getImage(id: ids[0], w: 200)
        let placeholder = try await PhotosAPI.getPlaceholder(id: ids[0], w: 16)
        for picture in [thumb, narrow, placeholder] {
            check(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]), picture)
        }
    }

    static func useMotion() async throws {
        let spring = try await MotionAPI.getSpring(dampingRatio: 0.8, response: 0.3)
        check(spring.spring.regime == .underdamped, spring)
        check(spring.conventions["android"]?.parameters.dampingRatio == 0.8, spring)
        let linear = try await MotionAPI.getLinear(dampingRatio: 0.8, response: 0.3)
        check(linear.css.hasPrefix("linear(0, ") && linear.rule.contains("@supports"), linear)
        let fling = try await MotionAPI.getProjection(model: .androidPeriodSpline, velocity: 1000)
        check(fling.durationMs != nil, fling)
        let drag = DrawerGesture(translationY: -100, closedTranslationY: 500, isOpen: false)
        let drawer = try await MotionAPI.moveDrawer(drawerGesture: drag)
        check(drawer.fraction == 0.2, drawer)
    }

    /// Returns the problem that a call throws; nil if it throws none.
    static func problem(_ call: () async throws -> Void) async -> Problem? {
        do {
            try await call()
            return nil
        } catch ErrorResponse.error(_, let data?, _, _) {
            return try? JSONDecoder().decode(Problem.self, from: data)
        } catch {
            return nil
        }
    }

    static func check(_ isRight: Bool, _ found: Any, line: UInt = #line) {
        guard isRight else { fatalError("line \(line): \(found)") }
    }
}

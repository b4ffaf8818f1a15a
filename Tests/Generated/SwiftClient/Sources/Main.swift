import Foundation
import SpringbarAPI

/// Uses the generated Swift client against the running service at the URL in the first argument; fails at the first
/// difference.
@main
struct Main {
    static func main() async throws {
        SpringbarAPIAPIConfiguration.shared.basePath = CommandLine.arguments[1]
        try await useBars()
        let photos = try await PhotosAPI.getPhotos(limit: 2)
        let picture = try await PhotosAPI.getImage(id: photos.items[0].id, w: 200)
        check(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]), picture)
        let spring = try await MotionAPI.getSpring(dampingRatio: 0.8, response: 0.3)
        check(spring.conventions["android"]?.parameters.dampingRatio == 0.8, spring)
        let fling = try await MotionAPI.getProjection(model: .androidPeriodSpline, velocity: 1000)
        check(fling.durationMs != nil, fling)
        print("done")
    }

    static func useBars() async throws {
        let view = Scrollable(
            contentOffset: Point(x: 0, y: -200),
            contentSize: Size(width: 375, height: 4800),
            frame: Rectangle(x: 0, y: 0, width: 375, height: 667)
        )
        let heights = BarConfiguration(compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300)
        let bar = try await BarsAPI.createBar(barBlueprint: BarBlueprint(configuration: heights, scrollable: view))
        check(bar.state.height == 200 && bar.expiresAt != nil, bar)
        let drag = EventSubmission(events: [
            BarEvent(type: .pangesture, sequence: 1, state: .began),
            BarEvent(type: .contentoffset, sequence: 2, contentOffset: Point(x: 0, y: -200)),
            BarEvent(type: .contentoffset, sequence: 3, contentOffset: Point(x: 0, y: -140)),
        ])
        let moved = try await BarsAPI.postEvents(id: bar.id, eventSubmission: drag)
        check(moved.state.height == 140 && moved.replayed == nil, moved)
        let replayed = try await BarsAPI.postEvents(id: bar.id, eventSubmission: drag)
        check(replayed.replayed == true, replayed)
        try await BarsAPI.deleteBar(id: bar.id)
        do {
            _ = try await BarsAPI.postEvents(id: bar.id, eventSubmission: drag)
            fatalError("the bar still exists")
        } catch ErrorResponse.error(_, let data?, _, _) {
            let problem = try JSONDecoder().decode(Problem.self, from: data)
            check(problem.type == "/problems/bar-not-found" && problem.status == 404, problem)
        }
    }

    static func check(_ isRight: Bool, _ found: Any, line: UInt = #line) {
        guard isRight else { fatalError("line \(line): \(found)") }
    }
}

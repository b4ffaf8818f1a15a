import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import Logging
import Motion
import MotionFeature
import Primitives

/// The routes of motion in process, without a socket.
struct MotionService {
    let handlers: MotionHandlers
    private let application: Application

    init(handlers: MotionHandlers = MotionHandlers()) throws {
        self.handlers = handlers
        application = Application(
            router: Router(routes: handlers.routes),
            middleware: [ResponseBudget(), ConditionalRequests()],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            makeRequestID: { "request" },
            problem: { error in
                switch error {
                case let error as JSONError: Problem(json: error)
                case let error as MotionError: Problem(error)
                default: nil
                }
            }
        )
    }

    /// A decoded answer.
    struct Answer {
        let status: Int
        let fields: Fields
        let bytes: [UInt8]

        /// The content as JSON; traps if it is not JSON.
        var json: [String: Any] {
            try! JSONSerialization.jsonObject(with: Data(bytes)) as! [String: Any]
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// Returns the number at a path of members, such as `settling.settlingTime`; nil for null and for a missing
        /// member.
        func number(_ path: String) -> Double? {
            member(path) as? Double
        }

        /// Returns the value at a path of members.
        func member(_ path: String) -> Any? {
            var value: Any? = json
            for name in path.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
            return value
        }

        /// The parameters and pointers in the errors of a problem.
        var faults: [String] {
            (json["errors"] as? [[String: String]] ?? []).compactMap { $0["parameter"] ?? $0["pointer"] }
        }
    }

    func get(_ target: String, fields: Fields = [:]) async throws -> Answer {
        try await respond(Request(method: .get, target: Target(target), fields: fields))
    }

    func post(_ target: String, _ content: String) async throws -> Answer {
        try await respond(
            Request(
                method: .post,
                target: Target(target),
                fields: [.contentType: "application/json"],
                content: Array(content.utf8)
            )
        )
    }

    private func respond(_ request: Request) async throws -> Answer {
        let response: Response
        switch application.respond(to: request) {
        case .now(let answer): response = answer
        case let promised: response = try await promised.value()
        }
        let bytes: [UInt8]
        switch response.content {
        case .bytes(let content): bytes = content
        case .shared(let shared, let range): bytes = Array(shared.buffer[range])
        case .none, .stream: bytes = []
        }
        return Answer(status: response.status.code, fields: response.fields, bytes: bytes)
    }
}

extension MotionHandlers {
    /// The routes of motion, as in the table of the service.
    fileprivate var routes: [Route] {
        [
            .get("/v1/springs", query: .read, spring),
            .get("/v1/springs/curve", query: .read, curve),
            .get("/v1/springs/linear", query: .read, produces: [.json, .css], linear),
            .get("/v1/springs/export", query: .read, produces: [.plainText], export),
            .get("/v1/springs/retarget", query: .read, retarget),
            .get("/v1/springs/compare", query: .read, compare),
            .get("/v1/springs/plot.svg", query: .read, produces: [.svg], plot),
            .get("/v1/springs/plot.png", query: .read, produces: [.png], plotPNG),
            .get("/v1/springs/presets", query: .read, presets),
            .get("/v1/springs/conventions", query: .read, conventions),
            .get("/v1/design-tokens", listDesignTokens),
            .post("/v1/design-tokens", query: .read, writeDesignTokens),
            .get("/v1/design-tokens/{name}", designToken),
            .get("/v1/projection", query: .read, projection),
            .get("/v1/rubberband", query: .read, rubberband),
            .get("/v1/relative-velocity", query: .read, relativeVelocity),
            .post("/v1/gestures/pause", pause),
            .post("/v1/gestures/force-button", forceButton),
            .post("/v1/gestures/calculator-button", calculatorButton),
            .post("/v1/gestures/drawer", drawer),
            .post("/v1/gestures/pip", pictureInPicture),
            .post("/v1/gestures/rotation", rotation),
        ]
    }
}

import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import Logging
import Motion

@testable import SpringbarService

/// The motion part of the service in process, without a socket.
struct MotionService {
    let handlers: MotionHandlers
    private let application: Application

    init(handlers: MotionHandlers = MotionHandlers()) throws {
        self.handlers = handlers
        application = Application(
            router: try Router(routes: [
                .get("/v1/springs", query: .read, handlers.spring),
                .get("/v1/springs/curve", query: .read, handlers.curve),
                .get("/v1/springs/linear", query: .read, produces: [.json, .css], handlers.linear),
                .get("/v1/springs/retarget", query: .read, handlers.retarget),
                .get("/v1/springs/compare", query: .read, handlers.compare),
                .get("/v1/springs/plot.svg", query: .read, produces: [.svg], handlers.plot),
                .get("/v1/springs/presets", query: .read, handlers.presets),
                .get("/v1/springs/conventions", query: .read, handlers.conventions),
                .get("/v1/projection", query: .read, handlers.projection),
                .get("/v1/rubberband", query: .read, handlers.rubberband),
                .get("/v1/relative-velocity", query: .read, handlers.relativeVelocity),
                .post("/v1/gestures/pause", handlers.pause),
                .post("/v1/gestures/force-button", handlers.forceButton),
                .post("/v1/gestures/calculator-button", handlers.calculatorButton),
                .post("/v1/gestures/drawer", handlers.drawer),
                .post("/v1/gestures/pip", handlers.pictureInPicture),
                .post("/v1/gestures/rotation", handlers.rotation),
            ]),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            makeRequestID: { "test" },
            problem: { error in
                switch error {
                case let error as MotionError: Problem(error)
                case let error as JSONError: Problem(json: error)
                default: nil
                }
            }
        )
    }

    /// An answer, read.
    struct Answer {
        let status: Int
        let fields: Fields
        let bytes: [UInt8]

        /// The content as JSON; traps when it is none.
        var json: [String: Any] {
            try! JSONSerialization.jsonObject(with: Data(bytes)) as! [String: Any]
        }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The number at a path of members, such as `settling.settlingTime`; nil for null and for what is not there.
        func number(_ path: String) -> Double? {
            member(path) as? Double
        }

        /// What stands at a path of members.
        func member(_ path: String) -> Any? {
            var value: Any? = json
            for name in path.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
            return value
        }

        /// The places that a problem names.
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
        case .later(let work): response = try await work()
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

import HTTPTypes
import JSON
import Synchronization

@testable import HTTPExchange

/// A dry run as a document: what it answers must be what a stored bar answers to the same events one by one.
@Sendable
func fuzzEvents(_ bytes: [UInt8]) {
    let application = Service.application
    let answer = application.answer(.sending(bytes, to: "/v1/bars/apply"))
    require([200, 400, 409, 422].contains(answer.status), "\(answer.status): \(answer.text)")
    guard answer.status == 200 else { return }
    do {
        let asked = try JSON.parse(bytes).object()
        let events = try asked.required("events").array()
        let told = try answer.json.object()
        let results = try told.required("results").array()
        require(results.count == events.count, "\(results.count) results of \(events.count) events")
        for result in results { try checkState(result.object()) }
        try checkState(told)
        try compare(asked, told)
    } catch {
        fail("the answer is not what the contract says: \(error) in \(answer.text)")
    }
}

/// Stores the bar that the dry run was of, and sends it the events one by one.
private func compare(_ asked: JSONObject, _ told: JSONObject) throws {
    let application = Service.application
    var creation = JSONWriter()
    creation.object { json in
        for (name, member) in asked where name != "events" {
            json.key(name)
            json.copy(member)
        }
    }
    let created = application.answer(.sending(creation.bytes, to: "/v1/bars"))
    require(created.status == 201, "a dry run of what cannot be created: \(created.text)")
    let path = "/v1/bars/\(try created.json.object().required("id").string())"
    defer { require(application.answer(Request(method: .delete, target: Target(path))).status == 204, "not deleted") }

    let results = Array(try told.required("results").array())
    for (index, event) in try asked.required("events").array().enumerated() {
        let step = application.answer(.sending(rewritten(event), to: path + "/events"))
        require(step.status == 200, "event \(index) is refused alone: \(step.text)")
        let (alone, together) = (try step.json.object(), try results[index].object())
        for name in ["state", "scrollable", "commands", "values"] {
            require(alone.text(of: name) == together.text(of: name), "event \(index) has another \(name) alone")
        }
        let past = application.answer(Request(method: .get, target: Target("\(path)/states?at=\(index + 1)")))
        require(try past.json.object().text(of: "state") == together.text(of: "state"), "replay \(index) differs")
    }
    let stored = try application.answer(Request(method: .get, target: Target(path))).json.object()
    require(stored.text(of: "state") == told.text(of: "state"), "the bar stands elsewhere")
}

/// The bar stays within its heights, but for a bar that resists.
func checkState(_ object: JSONObject) throws {
    let state = try object.required("state").object()
    let height = try state.double("height")
    require(try state.double("offset") == -height || height == 0, "the height is not the offset")
    require(abs(height) <= 4e9, "a height of \(height)")
    require(abs(try state.double("transitionProgress")) < 1e300, "a progress without a bound")
}

extension JSONObject {
    /// A member as it is written.
    func text(of name: String) -> String {
        for (member, value) in self where member == name { return String(decoding: rewritten(value), as: UTF8.self) }
        return ""
    }
}

extension Request {
    /// A POST of a JSON document.
    static func sending(_ content: [UInt8], to target: String, fields: Fields = [:]) -> Request {
        var fields = fields
        fields.append(.contentType, "application/json")
        return Request(method: .post, target: Target(target), fields: fields, content: content)
    }
}

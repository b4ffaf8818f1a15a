import HTTPTypes
import JSON
import Synchronization

@testable import HTTPExchange

/// A dry run must return the same results as a stored bar that gets the events one by one.
@Sendable
func fuzzEvents(_ bytes: [UInt8]) {
    let application = Service.application
    let answer = application.answer(.sending(bytes, to: "/v1/bars/apply"))
    require([200, 400, 409, 422].contains(answer.status), "\(answer.status): \(answer.text)")
    guard answer.status == 200 else { return }
    do {
        let asked = try JSON.parse(bytes).object()
        let events = try asked.required("events").array()
        let document = try answer.json.object()
        let results = try document.required("results").array()
        require(results.count == events.count, "\(results.count) results of \(events.count) events")
        for result in results { try checkState(result.object()) }
        try checkState(document)
        try compare(asked, document)
    } catch {
        fail("the response does not fit the contract: \(error) in \(answer.text)")
    }
}

/// Stores the bar of the dry run and sends it the events one by one.
private func compare(_ asked: JSONObject, _ document: JSONObject) throws {
    let application = Service.application
    var creation = JSONWriter()
    creation.object { json in
        for (name, member) in asked where name != "events" {
            json.key(name)
            json.copy(member)
        }
    }
    let created = application.answer(.sending(creation.bytes, to: "/v1/bars"))
    require(created.status == 201, "a bar of a dry run cannot be created: \(created.text)")
    let path = "/v1/bars/\(try created.json.object().required("id").string())"
    defer { require(application.answer(Request(method: .delete, target: Target(path))).status == 204, "not deleted") }

    let results = Array(try document.required("results").array())
    for (index, event) in try asked.required("events").array().enumerated() {
        let step = application.answer(.sending(rewritten(event), to: path + "/events"))
        require(step.status == 200, "event \(index) is refused when sent alone: \(step.text)")
        let (alone, together) = (try step.json.object(), try results[index].object())
        for name in ["state", "scrollable", "commands", "values"] {
            require(alone.text(of: name) == together.text(of: name), "event \(index) has other \(name) if sent alone")
        }
        let past = application.answer(Request(method: .get, target: Target("\(path)/states?at=\(index + 1)")))
        require(try past.json.object().text(of: "state") == together.text(of: "state"), "replay \(index) differs")
    }
    let stored = try application.answer(Request(method: .get, target: Target(path))).json.object()
    require(stored.text(of: "state") == document.text(of: "state"), "the state of the stored bar differs")
}

/// Checks that the bar stays within its heights, unless it has a resistance.
func checkState(_ object: JSONObject) throws {
    let state = try object.required("state").object()
    let height = try state.double("height")
    require(try state.double("offset") == -height || height == 0, "the height is not minus the offset")
    require(abs(height) <= 4e9, "a height of \(height)")
    require(abs(try state.double("transitionProgress")) < 1e300, "a progress without a bound")
}

extension JSONObject {
    /// Returns a member as JSON text.
    func text(of name: String) -> String {
        for (member, value) in self where member == name { return String(decoding: rewritten(value), as: UTF8.self) }
        return ""
    }
}

extension Request {
    /// Creates a POST of a JSON document.
    static func sending(_ content: [UInt8], to target: String, fields: Fields = [:]) -> Request {
        var fields = fields
        fields.append(.contentType, "application/json")
        return Request(method: .post, target: Target(target), fields: fields, content: content)
    }
}

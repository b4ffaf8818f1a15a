import JSON
import Primitives

extension Fault {
    /// Reads a fault such as `{"kind":"latency","on":"images","milliseconds":200,"count":3,"containing":"w=1080"}`.
    init(json root: JSONValue) throws(JSONError) {
        let object = try root.object()
        let name = try object.required("kind").choice(of: KindName.self)
        let known = ["kind", "on", "count", "containing"] + name.parameters
        for member in object where !known.contains(member.name) {
            let members = known.map { "`\($0)`" }.joined(separator: ", ")
            throw member.value.error("is not a member of `\(name.rawValue)`; its members are \(members)")
        }
        self.init(
            try Kind(name, of: object),
            on: try object.required("on").choice(of: Scope.self),
            count: try object.optional("count")?.integer(in: 1...1_000_000),
            containing: try object.optional("containing")?.string()
        )
        guard isPossible else {
            let possible = Scope.allCases.filter { Fault(kind, on: $0).isPossible }.map { "`\($0.rawValue)`" }
            let scopes = possible.joined(separator: " or ")
            throw try object.required("on").error("must be \(scopes) for `\(name.rawValue)`")
        }
    }

    /// Writes the fault in the form that is read.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", kind.name.rawValue)
            json.member("on", scope.rawValue)
            kind.writeParameters(to: &json)
            if let count { json.member("count", count) }
            if let containing { json.member("containing", containing) }
        }
    }
}

/// The names of the kinds in JSON.
private enum KindName: String, CaseIterable {
    case latency, drip, reset, truncate, wrongType, empty, malformed, gzipBomb, pixelBomb, endlessBody, hangBefore
    case hangInside, unauthorized, forbiddenText, forbiddenJSON, tooManyRequests, serverError, redirect, listShift
    case duplicates

    /// The members that only this kind has.
    var parameters: [String] {
        switch self {
        case .latency: ["milliseconds"]
        case .drip: ["bytes"]
        case .tooManyRequests: ["retryAfter"]
        case .serverError: ["status"]
        case .redirect: ["location"]
        case .listShift: ["photos"]
        case .duplicates: ["across", "inside"]
        default: []
        }
    }

    /// The kinds without members of their own.
    static let plain: [(name: KindName, kind: Fault.Kind)] = [
        (.reset, .reset), (.truncate, .truncate), (.wrongType, .wrongType), (.empty, .empty), (.malformed, .malformed),
        (.gzipBomb, .gzipBomb), (.pixelBomb, .pixelBomb), (.endlessBody, .endlessBody), (.hangBefore, .hangBefore),
        (.hangInside, .hangInside), (.unauthorized, .unauthorized), (.forbiddenText, .forbiddenText),
        (.forbiddenJSON, .forbiddenJSON),
    ]
}

extension Fault.Kind {
    fileprivate init(_ name: KindName, of object: JSONObject) throws(JSONError) {
        switch name {
        case .latency: self = .latency(.milliseconds(try object.required("milliseconds").integer(in: 1...3_600_000)))
        case .drip: self = .drip(bytes: try object.optional("bytes")?.integer(in: 1...1_048_576) ?? 1024)
        case .tooManyRequests:
            self = .tooManyRequests(retryAfter: try object.optional("retryAfter")?.integer(in: 0...86_400))
        case .serverError: self = .serverError(status: try object.optional("status")?.integer(in: 500...599) ?? 503)
        case .redirect: self = .redirect(to: try object.required("location").string())
        case .listShift: self = .listShift(try object.optional("photos")?.integer(in: 1...1000) ?? 1)
        case .duplicates:
            self = .duplicates(
                across: try object.optional("across")?.integer(in: 0...30) ?? 1,
                inside: try object.optional("inside")?.integer(in: 0...29) ?? 1
            )
        default:
            guard let plain = KindName.plain.first(where: { $0.name == name }) else {
                preconditionFailure("the table must have every name without parameters")
            }
            self = plain.kind
        }
    }

    fileprivate var name: KindName {
        switch self {
        case .latency: return .latency
        case .drip: return .drip
        case .tooManyRequests: return .tooManyRequests
        case .serverError: return .serverError
        case .redirect: return .redirect
        case .listShift: return .listShift
        case .duplicates: return .duplicates
        default:
            guard let plain = KindName.plain.first(where: { $0.kind == self }) else {
                preconditionFailure("the table must have every kind without parameters")
            }
            return plain.name
        }
    }

    fileprivate func writeParameters(to json: inout JSONWriter) {
        switch self {
        case .latency(let duration): json.member("milliseconds", Int.clamping(duration / .milliseconds(1)))
        case .drip(let bytes): json.member("bytes", bytes)
        case .tooManyRequests(let seconds): if let seconds { json.member("retryAfter", seconds) }
        case .serverError(let status): json.member("status", status)
        case .redirect(let location): json.member("location", location)
        case .listShift(let count): json.member("photos", count)
        case .duplicates(let across, let inside):
            json.member("across", across)
            json.member("inside", inside)
        default: break
        }
    }
}

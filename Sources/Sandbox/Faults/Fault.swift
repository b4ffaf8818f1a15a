import JSON

/// A failure that the sandbox produces on request; docs/sandbox.md describes the kinds and their members.
package struct Fault: Sendable, Equatable {
    package let kind: Kind
    package let scope: Scope
    /// The number of requests that it affects; nil for all until it is removed.
    package var count: Int?
    /// Limits the fault to requests whose target, as received, contains this text, such as `page=3`; nil for all.
    package let containing: String?
    package let numbers: [String: Int]
    package let location: String

    package init(
        _ kind: Kind,
        on scope: Scope,
        _ numbers: [String: Int] = [:],
        location: String = "",
        count: Int? = nil,
        containing: String? = nil
    ) {
        self.kind = kind
        self.scope = scope
        self.numbers = kind.numbers.reduce(into: numbers) { $0[$1.name] = $0[$1.name] ?? $1.fallback }
        self.location = location
        self.count = count
        self.containing = containing
    }

    /// The host of the upstream that has the fault.
    package enum Scope: String, Sendable, CaseIterable {
        case api
        case images
    }

    package enum Kind: String, Sendable, CaseIterable {
        case latency, drip, reset, truncate, wrongType, empty, malformed, gzipBomb, pixelBomb, endlessBody, hangBefore
        case hangInside, unauthorized, forbiddenText, forbiddenJSON, tooManyRequests, serverError, redirect, listShift
        case duplicates

        /// The numbers that only this kind has: their names, ranges and defaults.
        var numbers: [(name: String, range: ClosedRange<Int>, fallback: Int?)] {
            switch self {
            case .latency: [("milliseconds", 1...3_600_000, nil)]
            case .drip: [("bytes", 1...1_048_576, 1024)]
            case .tooManyRequests: [("retryAfter", 0...86_400, nil)]
            case .serverError: [("status", 500...599, 503)]
            case .listShift: [("photos", 1...1000, 1)]
            case .duplicates: [("across", 0...30, 1), ("inside", 0...29, 1)]
            default: []
            }
        }

        /// Whether the fault changes lists instead of the whole answer.
        var isOfLists: Bool { self == .listShift || self == .duplicates }

        /// The hosts that can have the fault.
        var scopes: [Scope] {
            switch self {
            case .pixelBomb: [.images]
            case .listShift, .duplicates: [.api]
            default: Scope.allCases
            }
        }
    }

    /// Reads a fault such as `{"kind":"latency","on":"images","milliseconds":200,"count":3,"containing":"w=1080"}`.
    init(json root: JSONValue) throws(JSONError) {
        let object = try root.object()
        let kind = try object.required("kind").choice(of: Kind.self)
        let own = kind.numbers.map(\.name) + (kind == .redirect ? ["location"] : [])
        let known = ["kind", "on", "count", "containing"] + own
        var numbers: [String: Int] = [:]
        for (name, value) in object {
            guard known.contains(name) else {
                let members = known.map { "`\($0)`" }.joined(separator: ", ")
                throw value.error("is not a member of `\(kind.rawValue)`; its members are \(members)")
            }
            if let number = kind.numbers.first(where: { $0.name == name }) {
                numbers[name] = try value.integer(in: number.range)
            }
        }
        if kind == .latency { _ = try object.required("milliseconds") }
        self.init(
            kind,
            on: try object.required("on").choice(of: Scope.self),
            numbers,
            location: kind == .redirect ? try object.required("location").string() : "",
            count: try object.optional("count")?.integer(in: 1...1_000_000),
            containing: try object.optional("containing")?.string()
        )
        guard kind.scopes.contains(scope) else {
            let scopes = kind.scopes.map { "`\($0.rawValue)`" }.joined(separator: " or ")
            throw try object.required("on").error("must be \(scopes) for `\(kind.rawValue)`")
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", kind.rawValue)
            json.member("on", scope.rawValue)
            for (name, _, _) in kind.numbers {
                if let number = numbers[name] { json.member(name, number) }
            }
            if kind == .redirect { json.member("location", location) }
            if let count { json.member("count", count) }
            if let containing { json.member("containing", containing) }
        }
    }
}

/// The relations in a Link field (RFC 8288).
///
/// It is split at angle brackets instead of commas, which a query may contain, and read by Unicode scalars: a combining
/// mark after a bracket would make it another character.
struct LinkField: Sendable {
    private let relations: Set<String>

    init(_ text: String) {
        var relations: Set<String> = []
        var rest = text.unicodeScalars[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            rest = rest[rest.index(after: close)...]
            let parameters = rest.prefix { $0 != "<" }
            for parameter in parameters.split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let halves = parameter.split(separator: "=", maxSplits: 1)
                guard halves.count == 2, String(halves[0].filter { $0 != " " }).lowercased() == "rel" else { continue }
                let value = halves[1].filter { $0 != "\"" }
                relations.formUnion(value.split(separator: " ").map { String($0).lowercased() })
            }
        }
        self.relations = relations
    }

    var hasNext: Bool { relations.contains("next") }
}

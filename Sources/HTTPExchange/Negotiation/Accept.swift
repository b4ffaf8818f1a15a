import Primitives

/// The media ranges of Accept with their weights (RFC 9110, section 12.5.1).
///
/// Malformed ranges are ignored; if none is left, all types are accepted.
package struct Accept: Sendable {
    private let ranges: [(range: MediaType, weight: Int)]

    /// Parses the values of all Accept fields, up to the 64th range.
    package init(_ values: [String]) {
        ranges = values.flatMap(FieldScanner.elements).prefix(64).compactMap(Accept.range)
    }

    /// Returns the offer of the largest weight, and the first of equal ones; nil if none is accepted.
    package func best(of offers: [MediaType]) -> MediaType? {
        if ranges.isEmpty { return offers.first }
        var best: (offer: MediaType, weight: Int)?
        for offer in offers {
            let weight = weight(of: offer)
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.offer
    }

    /// Returns the weight of a type in thousandths if a range names it in full; 0 otherwise, or if it is excluded (`q=0`).
    ///
    /// `*/*` and `image/*` do not name a type: a client that sends only these may not support newer ones.
    package func weight(named type: MediaType) -> Int {
        ranges.first { $0.range.essence == type.essence }?.weight ?? 0
    }

    /// Returns the weight of the most specific range that contains an offer, in thousandths; 0 if none does.
    ///
    /// An offer of `image/*` may have any type that is named: `image/avif;q=0` excludes only one of them.
    package func weight(of offer: MediaType) -> Int {
        guard offer.subtype == "*" else { return weight(of: offer) { _ in true } }
        let named = ranges.lazy.filter { $0.range.subtype != "*" && offer.overlaps($0.range) }.map(\.weight).max()
        return max(named ?? 0, weight(of: offer) { $0.subtype == "*" })
    }

    private func weight(of offer: MediaType, by isCounted: (MediaType) -> Bool) -> Int {
        var best: (specificity: Int, weight: Int)?
        for (range, weight) in ranges where offer.overlaps(range) && isCounted(range) {
            // All texts are UTF-8. So is JSON, although its type has no such parameter.
            let others = range.parameters.filter { $0.name != "charset" || $0.value.lowercased() != "utf-8" }
            guard others.allSatisfy({ offer.parameter($0.name)?.lowercased() == $0.value.lowercased() })
            else { continue }
            let specificity = (range.type == "*" ? 0 : 1) + (range.subtype == "*" ? 0 : 1) + range.parameters.count
            if specificity > best?.specificity ?? -1 { best = (specificity, weight) }
        }
        return best?.weight ?? 0
    }

    private static func range(_ element: Substring) -> (range: MediaType, weight: Int)? {
        guard let whole = MediaType(element) else { return nil }
        guard let quality = whole.parameters.firstIndex(where: { $0.name == "q" }) else { return (whole, 1000) }
        guard let weight = weight(whole.parameters[quality].value) else { return nil }
        let parameters = Array(whole.parameters[..<quality])
        return (MediaType(type: whole.type, subtype: whole.subtype, parameters: parameters), weight)
    }

    /// Parses a weight such as `0`, `0.5` or `1.000`, in thousandths (section 12.4.2).
    fileprivate static func weight(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count > 1 ? parts[1] : ""
        guard parts[0] == "0" || parts[0] == "1", places.utf8.count <= 3 else { return nil }
        let zeros = String(repeating: "0", count: 3 - places.utf8.count)
        return NumberGrammar.integer("\(parts[0])\(places)\(zeros)").flatMap { $0 <= 1000 ? $0 : nil }
    }
}

extension Request {
    /// Returns the media type for the response: of the offers, the one with the largest weight.
    ///
    /// - Precondition: there is an offer.
    /// - Throws: `Problem` 406 if the client accepts none.
    package func preferred(of offers: [MediaType]) throws(Problem) -> MediaType {
        precondition(!offers.isEmpty, "a media type must be offered")
        guard fields[.accept] != nil, fields.single(.accept) != "*/*" else { return offers[0] }
        guard let best = Accept(fields.values(of: .accept)).best(of: offers) else {
            let types = offers.map(\.description).joined(separator: ", ")
            throw Problem(.unacceptable, "There is \(types), and Accept excludes it.", fields: [.vary: "Accept"])
        }
        return best
    }
}

extension Response {
    /// Adds a field of the request to Vary (RFC 9110, section 12.5.5).
    package mutating func vary(by name: FieldName) {
        let names = fields.values(of: .vary).flatMap(FieldScanner.elements)
        if names.contains("*") || names.contains(where: { FieldName(String($0)) == name }) { return }
        fields[.vary] = (names + [name.rawValue[...]]).joined(separator: ", ")
    }

    /// Returns the response with a field of the request added to Vary.
    package func varying(by name: FieldName) -> Response {
        var response = self
        response.vary(by: name)
        return response
    }
}

extension Request {
    /// Whether Accept-Encoding names gzip with a weight above 0 (RFC 9110, sections 8.4.1.3 and 12.5.3).
    package var acceptsGzip: Bool {
        fields.values(of: .acceptEncoding).flatMap(FieldScanner.elements).contains { element in
            var scanner = FieldScanner(element)
            guard let coding = scanner.token(), ["gzip", "x-gzip"].contains(coding.lowercased()),
                let parameters = scanner.parameters(), scanner.isAtEnd
            else { return false }
            guard let quality = parameters.first(where: { $0.name.lowercased() == "q" }) else { return true }
            return Accept.weight(quality.value) ?? 0 > 0
        }
    }
}

/// What a client can read: the media ranges of Accept with their weights (RFC 9110, section 12.5.1).
///
/// A range that is no range is skipped, as any list's element that a recipient does not understand may be; when none
/// is left, the field says nothing.
package struct Accept: Sendable {
    private let ranges: [(range: MediaType, weight: Int)]

    /// Reads the values of all Accept fields; what stands behind the 64th range is not looked at.
    package init(_ values: [String]) {
        ranges = values.flatMap(FieldScanner.elements).prefix(64).compactMap(Accept.range)
    }

    /// The offer that is liked best; the earlier one of equals; nil when none is accepted.
    package func best(of offers: [MediaType]) -> MediaType? {
        if ranges.isEmpty { return offers.first }
        var best: (offer: MediaType, weight: Int)?
        for offer in offers {
            let weight = weight(of: offer)
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.offer
    }

    /// The weight of a type that a range names in full, in thousandths; 0 when none does, or when it is excluded (`q=0`).
    ///
    /// `*/*` and `image/*` name no type: a client that sends them alone may not know the newer ones.
    package func weight(named type: MediaType) -> Int {
        ranges.first { $0.range.essence == type.essence }?.weight ?? 0
    }

    /// The weight of the most specific range that an offer falls into, in thousandths; 0 when it falls into none.
    ///
    /// An offer of `image/*` may turn out to be of any type that is named: `image/avif;q=0` excludes only one of them.
    package func weight(of offer: MediaType) -> Int {
        guard offer.subtype == "*" else { return weight(of: offer) { _ in true } }
        let named = ranges.lazy.filter { $0.range.subtype != "*" && offer.overlaps($0.range) }.map(\.weight).max()
        return max(named ?? 0, weight(of: offer) { $0.subtype == "*" })
    }

    private func weight(of offer: MediaType, by isCounted: (MediaType) -> Bool) -> Int {
        var found: (specificity: Int, weight: Int)?
        for (range, weight) in ranges where offer.overlaps(range) && isCounted(range) {
            guard range.parameters.allSatisfy({ offer.parameter($0.name)?.lowercased() == $0.value.lowercased() })
            else { continue }
            let specificity = (range.type == "*" ? 0 : 1) + (range.subtype == "*" ? 0 : 1) + range.parameters.count
            if specificity > found?.specificity ?? -1 { found = (specificity, weight) }
        }
        return found?.weight ?? 0
    }

    private static func range(_ element: Substring) -> (range: MediaType, weight: Int)? {
        guard let whole = MediaType(element) else { return nil }
        guard let mark = whole.parameters.firstIndex(where: { $0.name == "q" }) else { return (whole, 1000) }
        guard let weight = weight(whole.parameters[mark].value) else { return nil }
        return (whole.keeping(Array(whole.parameters[..<mark])), weight)
    }

    /// `0`, `0.5`, `1.000` and the like in thousandths (section 12.4.2).
    private static func weight(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"), bytes.count <= 5,
            bytes.count == 1 || bytes[1] == UInt8(ascii: ".")
        else { return nil }
        var weight = Int(first - UInt8(ascii: "0"))
        for position in 2..<5 {
            let digit = position < bytes.count ? bytes[position] : UInt8(ascii: "0")
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            weight = weight * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return weight <= 1000 ? weight : nil
    }
}

extension Request {
    /// The media type to answer with, of those on offer; the first where the client does not care.
    ///
    /// - Precondition: there is an offer.
    /// - Throws: `Problem` 406 when the client accepts none.
    package func preferred(of offers: [MediaType]) throws(Problem) -> MediaType {
        precondition(!offers.isEmpty, "no media type is offered")
        guard let first = fields[.accept], first != "*/*" else { return offers[0] }
        guard let best = Accept(fields.values(of: .accept)).best(of: offers) else {
            let types = offers.map(\.description).joined(separator: ", ")
            throw Problem(.unacceptable, "There is \(types), and Accept excludes it.")
        }
        return best
    }
}

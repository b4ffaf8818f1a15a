import Primitives

/// The field Link (RFC 8288, section 3): addresses in angle brackets, with parameters behind each.
package enum LinkField {
    /// Returns whether a page follows; nil if no link leads to a page of a list.
    ///
    /// Relations are compared without case, a `rel` has one or several, with quotes or without, and only the first `rel` of
    /// a link counts.
    package static func hasNext(in field: String) -> Bool? {
        let relations = parts(of: field.utf8[...], at: UInt8(ascii: ",")).flatMap { link -> [Substring] in
            guard let end = link.firstIndex(of: UInt8(ascii: ">")) else { return [] }
            let parameters = parts(of: link[link.index(after: end)...], at: UInt8(ascii: ";"))
            return parameters.lazy.compactMap(self.relations).first ?? []
        }.map { $0.lowercased() }
        return ["first", "prev", "next", "last"].contains(where: relations.contains) ? relations.contains("next") : nil
    }

    /// The relations of a parameter; nil if it is not `rel`.
    private static func relations(_ parameter: Substring.UTF8View) -> [Substring]? {
        let halves = Substring(parameter).split(separator: "=", maxSplits: 1)
        guard halves.count == 2, halves[0].trimmingBlanks().lowercased() == "rel" else { return nil }
        return halves[1].trimmingBlanks().trimmingQuotes().split(separator: " ")
    }

    /// The parts between separators that are neither in quotes nor in angle brackets.
    private static func parts(of text: Substring.UTF8View, at separator: UInt8) -> [Substring.UTF8View] {
        var (isQuoted, isAddress, isEscaped) = (false, false, false)
        return text.split { byte in
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if isEscaped { return false }
            switch byte {
            case UInt8(ascii: "\"") where !isAddress: isQuoted.toggle()
            case UInt8(ascii: "<") where !isQuoted: isAddress = true
            case UInt8(ascii: ">") where !isQuoted: isAddress = false
            default: break
            }
            return byte == separator && !isQuoted && !isAddress
        }
    }
}

extension Substring {
    /// The text without quotes around it.
    fileprivate func trimmingQuotes() -> Substring {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? dropFirst().dropLast() : self
    }
}

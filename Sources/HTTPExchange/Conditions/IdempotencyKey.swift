/// The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header), for every operation that accepts one.
///
/// A key belongs to the bearer token that it came with: equal texts of two tokens are two keys. Where no tokens are
/// configured, all clients share the keys.
package struct IdempotencyKey: Sendable, Hashable {
    /// The value of the field; 1 to 255 bytes of UTF-8.
    package let text: String
    /// `Context.principal`; nil without a token.
    package let principal: UInt64?

    /// Reads the key of a request; nil if it has none.
    ///
    /// - Throws: `Problem` 400 for an empty, long or repeated field, and for bytes that are not UTF-8.
    package init?(_ request: Request, _ context: Context) throws(Problem) {
        guard let text = request.fields[.idempotencyKey] else { return nil }
        // The server reads bytes that are not UTF-8 as this character.
        guard 1...255 ~= text.utf8.count, !text.unicodeScalars.contains("\u{fffd}"),
            request.fields.values(of: .idempotencyKey).count == 1
        else {
            let detail = "must be one text of 1 to 255 bytes of UTF-8, without U+FFFD"
            let errors = [Problem.Fault(.field("Idempotency-Key"), detail)]
            throw Problem(.malformedRequest, "Idempotency-Key \(detail).", errors: errors)
        }
        self.text = text
        principal = context.principal
    }
}

// Keys are compared byte by byte: equal texts of Swift may differ in their normalisation.
extension IdempotencyKey {
    package static func == (left: IdempotencyKey, right: IdempotencyKey) -> Bool {
        left.principal == right.principal && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(principal)
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

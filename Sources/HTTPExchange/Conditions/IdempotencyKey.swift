/// The `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header), for every operation that accepts one.
///
/// A key belongs to the bearer token that it came with: equal texts of two tokens are two keys. Where no tokens are
/// configured, all clients share the keys.
package struct IdempotencyKey: Sendable, Hashable {
    /// The value of the field: 1 to 255 printable characters of ASCII.
    package let text: String
    /// `Context.principal`; nil without a token.
    package let principal: UInt64?

    /// Reads the key of a request; nil if it has none.
    ///
    /// - Throws: `Problem` 400 for an empty, long or repeated field, and for other characters: Unicode has several texts for
    ///   one word, and bytes that are not UTF-8 become one text.
    package init?(_ request: Request, _ context: Context) throws(Problem) {
        guard let text = request.fields[.idempotencyKey] else { return nil }
        guard 1...255 ~= text.utf8.count, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }),
            request.fields.values(of: .idempotencyKey).count == 1
        else {
            let detail = "must be one text of 1 to 255 printable characters of ASCII"
            let errors = [Problem.Fault(.field("Idempotency-Key"), detail)]
            throw Problem(.malformedRequest, "Idempotency-Key \(detail).", errors: errors)
        }
        self.text = text
        principal = context.principal
    }
}

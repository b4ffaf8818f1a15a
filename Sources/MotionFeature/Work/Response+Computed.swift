import HTTPExchange
import Primitives

extension Response {
    /// A response that depends on its target alone.
    ///
    /// Clients may keep it for thirty days: long enough to avoid repeated requests, short enough that a new release,
    /// which may know one more convention, is seen without a new URL.
    static func computed(_ bytes: [UInt8], type: String = "application/json") -> Response {
        Response(
            fields: [
                .contentType: type,
                .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: "public, max-age=2592000",
            ],
            content: .shared(SharedBytes(bytes))
        )
    }
}

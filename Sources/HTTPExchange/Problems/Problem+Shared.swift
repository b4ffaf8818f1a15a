import HTTPTypes

// The problems of more than one feature, which therefore lists them.
extension Problem.Kind {
    package static let idempotencyKeyReused = Problem.Kind(
        "idempotency-key-reused",
        .unprocessableContent,
        "The Idempotency-Key belongs to a request with other content.",
        explanation: """
            A key belongs to one request for an hour, or longer. A request with the same content gets the same result. For \
            another one use another key.
            """
    )

    package static let storeUnavailable = Problem.Kind(
        "store-unavailable",
        .serviceUnavailable,
        "The store of the replicas is not available.",
        explanation: """
            The replicas of the service share their state in a store, and the store does not answer. Retry after \
            `Retry-After` seconds. A write may have had its effect; with numbered events, an `Idempotency-Key` or \
            `If-Match` a retry is safe.
            """
    )
}

extension Problem {
    /// Words what a server refuses by itself.
    package init(refusal: Refusal) {
        switch refusal {
        case .lengthAndTransferEncoding:
            self.init(.malformedRequest, "Content-Length and Transfer-Encoding exclude each other.")
        case .repeatedLength:
            self.init(.malformedRequest, "There is more than one Content-Length.")
        case .unknownTransferCoding:
            self.init(.malformedRequest, "The only transfer coding read here is `chunked`.")
        case .controlInTarget:
            self.init(.malformedRequest, "The target has a control character.")
        case .malformedTarget:
            self.init(
                .malformedRequest,
                "The target is not a path with an optional query, or has a character that must be percent-encoded."
            )
        case .controlInField(let name):
            self.init(
                .malformedRequest,
                "A field has a control character.",
                errors: [Fault(.field(name), "not allowed")]
            )
        case .malformedFieldName:
            self.init(.malformedRequest, "The name of a field is not a token.")
        case .missingHost:
            self.init(.malformedRequest, "There is no Host.")
        case .repeatedHost:
            self.init(.malformedRequest, "There is more than one Host.")
        case .malformedHost:
            self.init(.malformedRequest, "The host of the request is not `host` or `host:port`.")
        case .contentTooLarge(let limit):
            self.init(
                .contentTooLarge,
                "At most \(limit) bytes of content are read.",
                members: [Member("limit", limit)]
            )
        case .overloaded:
            self.init(.overloaded, "The memory for requests in flight is used up.", fields: [.retryAfter: "1"])
        case .reserved:
            self.init(
                .overloaded,
                "All connections are taken; what is left is for health checks.",
                fields: [.retryAfter: "1"]
            )
        case .deadlineExceeded:
            self.init(.deadlineExceeded, "The answer was given up at its deadline.", fields: [.retryAfter: "1"])
        case .draining:
            self.init(.draining, "Nothing new is begun here.", fields: [.retryAfter: "1"])
        }
    }
}

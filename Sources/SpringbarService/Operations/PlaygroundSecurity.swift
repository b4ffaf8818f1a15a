import HTTPExchange

/// The security fields of the playground: a browser loads only content of this service, and the `imageSources`.
enum PlaygroundSecurity {
    /// The fields of every answer of the playground.
    static func fields(imageSources: [String] = []) -> Fields {
        [
            .contentSecurityPolicy: policy(imageSources: imageSources),
            .xContentTypeOptions: "nosniff",
            .referrerPolicy: "no-referrer",
            // The page uses none of these features, so an injected script cannot use them either.
            .permissionsPolicy: "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
            .crossOriginOpenerPolicy: "same-origin",
            .crossOriginResourcePolicy: "same-origin",
        ]
    }

    /// Scripts and styles only from files, so that no injected text can become either.
    ///
    /// Placeholders are `data:` images. `require-trusted-types-for` makes the browser refuse markup made from text: the
    /// page builds its elements one by one.
    private static func policy(imageSources: [String]) -> String {
        [
            "default-src 'self'",
            (["img-src 'self' data:"] + imageSources).joined(separator: " "),
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
    }
}

import Primitives

/// The credit that the library's terms require with every photo: links with `utm_source` and `utm_medium`.
///
/// The pictures of the sandbox library are drawn by the service. They are not on Unsplash, and their photographers are
/// invented, so the credit names neither, and the photographers have links to a site that does not exist.
struct Attribution: Sendable, Equatable {
    let text: String
    /// The credit for HTML pages, with escaped names.
    let html: String
    let photographerURL: String
    let unsplashURL: String

    /// Credits a photographer, or the sandbox library if the picture `isDrawn`; `appName` becomes `utm_source`.
    init(_ photographer: Photo.Photographer, appName: String, isDrawn: Bool = false) {
        let campaign = "?utm_source=\(PercentEncoding.encode(appName))&utm_medium=referral"
        // RFC 2606 reserves `.example`.
        let site = isDrawn ? "https://photos.example" : "https://unsplash.com"
        photographerURL = "\(site)/@\(PercentEncoding.encode(photographer.username))\(campaign)"
        unsplashURL = "https://unsplash.com/\(campaign)"
        guard !isDrawn else {
            text = "Drawn by the built-in library"
            html = text
            return
        }
        text = "Photo by \(photographer.name) on Unsplash"
        html = """
            Photo by <a href="\(HTMLText.escaped(photographerURL))">\(HTMLText.escaped(photographer.name))</a> \
            on <a href="\(HTMLText.escaped(unsplashURL))">Unsplash</a>
            """
    }
}

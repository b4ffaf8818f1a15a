import Primitives

/// The credit that the library's terms require with every photo: links to the photographer and to Unsplash, with
/// `utm_source` and `utm_medium`.
///
/// The pictures of the sandbox library are drawn by the service. They are not on Unsplash, and their photographers are
/// invented, so the credit names neither, and the photographers have links to a site that does not exist.
package struct Attribution: Sendable, Equatable {
    package let text: String
    /// The credit for HTML pages, with escaped names.
    package let html: String
    package let photographerURL: String
    package let unsplashURL: String

    /// The site with the profiles of the photographers.
    package enum Site: String, Sendable {
        case unsplash = "https://unsplash.com"
        /// A site that does not exist (RFC 2606 reserves `.example`).
        case sandbox = "https://photos.example"
    }

    /// Credits a photographer; `appName` is the registered name of the application, for `utm_source`.
    package init(_ photographer: Photo.Photographer, appName: String, profilesAt site: Site = .unsplash) {
        let campaign = "?utm_source=\(PercentEncoding.encode(appName))&utm_medium=referral"
        photographerURL = "\(site.rawValue)/@\(PercentEncoding.encode(photographer.username))\(campaign)"
        unsplashURL = "https://unsplash.com/\(campaign)"
        guard site == .unsplash else {
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

import Primitives

/// The credit that the library's terms require with every photo: links to the photographer and to Unsplash, with
/// `utm_source` and `utm_medium`.
package struct Attribution: Sendable, Equatable {
    package let text: String
    /// The credit for HTML pages, with escaped names.
    package let html: String
    package let photographerURL: String
    package let unsplashURL: String

    /// Credits a photographer; `appName` is the registered name of the application, for `utm_source`.
    package init(_ photographer: Photo.Photographer, appName: String) {
        let campaign = "?utm_source=\(PercentEncoding.encode(appName))&utm_medium=referral"
        text = "Photo by \(photographer.name) on Unsplash"
        photographerURL = "https://unsplash.com/@\(PercentEncoding.encode(photographer.username))\(campaign)"
        unsplashURL = "https://unsplash.com/\(campaign)"
        html = """
            Photo by <a href="\(Attribution.escaped(photographerURL))">\(Attribution.escaped(photographer.name))</a> \
            on <a href="\(Attribution.escaped(unsplashURL))">Unsplash</a>
            """
    }

    /// Escapes the five special characters of HTML text and quoted attributes.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

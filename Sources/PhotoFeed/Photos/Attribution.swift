import Primitives

/// The credit that the library's terms ask for with every photo: photographer and Unsplash, both linked, each link
/// with `utm_source` and `utm_medium`.
package struct Attribution: Sendable, Equatable {
    package let text: String
    /// Ready to be put into a page: names come from strangers and are escaped.
    package let html: String
    package let photographerURL: String
    package let unsplashURL: String

    /// Credits a photographer; `appName` is what the application is registered as, and stands in `utm_source`.
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

    /// The five characters that mean something in HTML text or in a quoted attribute.
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

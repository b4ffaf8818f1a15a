import HTTPExchange
import MotionFeature
import Primitives

/// The metadata of a shared link (Open Graph): the name of its spring, what its curve looks like, and a picture of it.
struct SpringPreview {
    /// The place of the metadata in the page.
    static let placeholder = "<!-- preview -->"

    let elements: String

    /// Creates the metadata of the spring in a page's address, with a picture at `base`; nil if there is none to plot.
    init?(_ target: Target, base: String) {
        let pairs = target.queryPairs.filter { SpringPlot.names.contains(String($0.encodedName)) }
        guard pairs.contains(where: { $0.encodedName == "convention" }) else { return nil }
        let picture = "/v1/springs/plot.png?" + pairs.map(\.text).joined(separator: "&")
        guard let plot = try? SpringPlot(Query(Target(picture), allowing: SpringPlot.names)) else { return nil }
        let properties = [
            ("og:type", "website"), ("og:title", plot.title), ("og:description", plot.description),
            ("og:image", base + picture), ("og:image:type", "image/png"),
            ("og:image:width", String(SpringPlot.pixels.width)), ("og:image:height", String(SpringPlot.pixels.height)),
            ("og:image:alt", plot.description), ("twitter:card", "summary_large_image"),
        ]
        elements = properties.map { name, content in
            "<meta property=\"\(name)\" content=\"\(HTMLText.escaped(content))\">"
        }.joined(separator: "\n")
    }
}

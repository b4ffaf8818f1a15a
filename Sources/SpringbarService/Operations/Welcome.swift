/// The text at the start of the service: its address, its photo library, and three commands to try.
package enum Welcome {
    /// Returns the text, with a line feed at its end.
    package static func text(host: String, port: Int, usesSandbox: Bool) -> String {
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host.contains(":") ? "[\(host)]" : host
        let base = "http://\(name):\(port)"
        let sandbox = "the built-in sandbox library (set UNSPLASH_ACCESS_KEY for real photos)"
        return """
            Springbar \(Version.text) listens on \(base)
            Photos come from \(usesSandbox ? sandbox : "Unsplash").

            Try \(base)/ in a browser, or:
              curl '\(base)/v1/springs?dampingRatio=0.8&response=0.3'
              curl '\(base)/v1/photos?limit=2'
              curl '\(base)/v1/bars/apply' -H 'Content-Type: application/json' -d '\(drag)'

            All of it: \(base)/docs; what every error means: \(base)/problems
            Ctrl-C drains and stops.

            """
    }

    /// A short drag: the bar collapses from 200 to 150 points.
    private static let drag = """
        {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
        "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
        "frame":{"x":0,"y":0,"width":375,"height":667}},\
        "events":[{"type":"contentOffset","contentOffset":{"x":0,"y":-200}},\
        {"type":"contentOffset","contentOffset":{"x":0,"y":-150}}]}
        """
}

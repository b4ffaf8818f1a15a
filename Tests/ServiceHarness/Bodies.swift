/// Contents of requests.
package enum Bodies {
    package static let configuration =
        #""configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300}"#

    package static func scrollable(_ id: String = "feed", y: Double = 500) -> String {
        """
        {"id":"\(id)","contentOffset":{"x":0,"y":\(y)},"contentSize":{"width":375,"height":4800},\
        "frame":{"x":0,"y":0,"width":375,"height":667}}
        """
    }

    /// Returns the content of a creation, with the content offset `y` and more members.
    package static func create(y: Double = 500, _ more: String = "") -> String {
        "{\(configuration),\"scrollable\":\(scrollable(y: y))\(more.isEmpty ? "" : "," + more)}"
    }

    package static func offset(_ y: Double, sequence: Int? = nil, _ more: String = "") -> String {
        let number = sequence.map { ",\"sequence\":\($0)" } ?? ""
        return "{\"type\":\"contentOffset\",\"contentOffset\":{\"x\":0,\"y\":\(y)}\(number)\(more)}"
    }

    package static func batch(_ events: [String]) -> String {
        "{\"events\":[\(events.joined(separator: ","))]}"
    }
}

/// JSON documents of bars: creations, events and tracks, with numbers from the table of extremes.
enum BarContent {
    /// Returns the content of a creation.
    static func creation(_ input: inout Input) -> String {
        let heights =
            input.byte() < 160
            ? (compact: "100", normal: "200", expanded: "300")
            : (compact: input.jsonNumber(), normal: input.jsonNumber(), expanded: input.jsonNumber())
        var members = [
            """
            "configuration":{"compactStateHeight":\(heights.compact),"normalStateHeight":\(heights.normal),\
            "expandedStateHeight":\(heights.expanded)}
            """,
            "\"scrollable\":\(scrollable(&input))",
        ]
        if input.flag() { members.append("\"feedback\":\"\(input.flag() ? "applied" : "echoed")\"") }
        if input.flag() { members.append("\"tracks\":\(tracks(&input, withNull: false))") }
        if input.flag() { members.append("\"options\":\(options(&input))") }
        return "{\(members.joined(separator: ","))}"
    }

    /// Returns the members of one event.
    static func event(_ input: inout Input) -> String {
        let action: String =
            switch input.count(upTo: 9) {
            case 0...2: "\"type\":\"contentOffset\",\"contentOffset\":\(point(&input))"
            case 3: "\"type\":\"contentSize\",\"contentSize\":\(size(&input))"
            case 4: "\"type\":\"frame\",\"frame\":\(rect(&input))"
            case 5: "\"type\":\"contentInset\",\"contentInset\":\(insets(&input))"
            case 6: pan(&input)
            case 7: "\"type\":\"expand\",\"on\":\(input.flag())"
            case 8: "\"type\":\"set\",\"scrollable\":\(scrollable(&input))"
            default: "\"type\":\"preconfigure\",\"scrollable\":\(scrollable(&input))"
            }
        let source = input.byte() > 224 ? ",\"source\":\"animation\"" : ""
        let time = input.byte() > 224 ? ",\"timestamp\":\(input.jsonNumber())" : ""
        let id = input.byte() > 240 ? ",\"scrollableId\":\"main\"" : ""
        return action + source + time + id
    }

    /// Returns tracks; `withNull` also removes some.
    static func tracks(_ input: inout Input, withNull: Bool) -> String {
        var members: [String] = []
        for index in 0..<input.count(upTo: 5) {
            let name = input.choice(["a", "title.alpha", "\\u00e9", "x\\\"y", "b"]) + "\(index)"
            let value: String =
                switch input.count(upTo: withNull ? 3 : 2) {
                case 0: "{\"compactNormalRange\":\(range(&input)),\"normalExpandedRange\":\(range(&input))}"
                case 1, 2:
                    """
                    {"keyframes":[{"progress":0,"value":\(coordinate(&input))},\
                    {"progress":\(input.jsonNumber()),"value":\(coordinate(&input))}]}
                    """
                default: "null"
                }
            members.append("\"\(name)\":\(value)")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func range(_ input: inout Input) -> String {
        input.flag()
            ? "{\"range\":[\(coordinate(&input)),\(coordinate(&input))]}" : "{\"value\":\(coordinate(&input))}"
    }

    private static func options(_ input: inout Input) -> String {
        var members: [String] = []
        if input.flag() { members.append("\"snap\":\"\(input.choice(["nearest", "projected", "none"]))\"") }
        if input.flag() {
            members.append(
                "\"decelerationRate\":\(input.choice(["\"normal\"", "\"fast\"", "0.5", "0.9999999999999999"]))"
            )
        }
        for name in ["snapSequential", "snapOnCancel", "clampTargets"] where input.flag() {
            members.append("\"\(name)\":true")
        }
        if input.byte() > 192 {
            members.append("\"resistance\":{\"dimension\":\(input.jsonNumber()),\"constant\":\(input.jsonNumber())}")
        }
        if input.flag() { members.append("\"reopen\":\"top\"") }
        if input.flag() { members.append("\"tolerance\":\(input.jsonNumber())") }
        let fixes = ["primeOnAttach", "overscroll", "clearExpandedOnCollapse", "contentSizeRatchet", "baseInset"]
        let chosen = fixes.compactMap { input.flag() ? "\"\($0)\"" : nil }
        if !chosen.isEmpty { members.append("\"fixes\":[\(chosen.joined(separator: ","))]") }
        return "{\(members.joined(separator: ","))}"
    }

    private static func pan(_ input: inout Input) -> String {
        let state = input.choice(["began", "changed", "ended", "ended", "cancelled", "failed", "possible"])
        return "\"type\":\"panGesture\",\"state\":\"\(state)\"" + (input.flag() ? ",\"velocity\":\(point(&input))" : "")
    }

    private static func scrollable(_ input: inout Input) -> String {
        let inset = input.flag() ? ",\"contentInset\":\(insets(&input))" : ""
        return """
            {"contentOffset":\(point(&input)),"contentSize":\(size(&input)),"frame":\(rect(&input))\(inset)}
            """
    }

    private static func point(_ input: inout Input) -> String {
        "{\"x\":\(input.byte() < 240 ? "0" : coordinate(&input)),\"y\":\(coordinate(&input))}"
    }

    private static func size(_ input: inout Input) -> String {
        "{\"width\":375,\"height\":\(coordinate(&input))}"
    }

    private static func rect(_ input: inout Input) -> String {
        "{\"x\":0,\"y\":0,\"width\":375,\"height\":\(coordinate(&input))}"
    }

    private static func insets(_ input: inout Input) -> String {
        "{\"top\":\(coordinate(&input)),\"left\":0,\"bottom\":\(coordinate(&input)),\"right\":0}"
    }

    /// Returns a number of points: mostly one that a finger produces, otherwise any.
    private static func coordinate(_ input: inout Input) -> String {
        let byte = input.byte()
        return byte < 200 ? "\(8 * Int(byte) - 800)" : input.jsonNumber()
    }
}

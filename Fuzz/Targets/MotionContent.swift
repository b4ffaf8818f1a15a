/// Contents of the gesture operations, with numbers from the table of extremes.
enum MotionContent {
    static let paths = ["pause", "force-button", "calculator-button", "drawer", "drawer", "pip", "rotation"]

    /// Returns the path and the content of a gesture.
    static func request(_ index: Int, _ input: inout Input) -> (path: String, content: String) {
        let members: [String] =
            switch index {
            case 0: pause(&input)
            case 1: forceButton(&input)
            case 2: ["\"events\":[\(list(&input) { "\"\($0.choice(calculatorEvents))\"" })]"]
            case 3: drag(&input)
            case 4: release(&input)
            case 5: pictureInPicture(&input)
            default: rotation(&input)
            }
        return ("/v1/gestures/\(paths[index])", "{\(members.joined(separator: ","))}")
    }

    private static let calculatorEvents = [
        "touchDown", "touchDragEnter", "touchUpInside", "touchUpOutside", "touchDragExit", "touchCancel", "tap",
    ]

    private static func pause(_ input: inout Input) -> [String] {
        let samples = list(&input) { "{\"velocity\":\($0.jsonNumber()),\"offset\":\($0.jsonNumber())}" }
        return (input.flag() ? ["\"mode\":\"\(input.choice(["article", "repo", "x"]))\""] : []) + [
            "\"samples\":[\(samples)]"
        ]
    }

    private static func forceButton(_ input: inout Input) -> [String] {
        let events = list(&input) { input in
            let type = input.choice(["begin", "move", "end", "cancel", "x"])
            return "{\"type\":\"\(type)\",\"force\":\(input.jsonNumber()),\"distance\":\(input.jsonNumber())}"
        }
        return (input.flag() ? ["\"on\":\(input.flag())"] : []) + ["\"events\":[\(events)]"]
    }

    private static func drag(_ input: inout Input) -> [String] {
        [
            "\"translationY\":\(input.jsonNumber())", "\"closedTranslationY\":\(input.jsonNumber())",
            "\"isOpen\":\(input.flag())",
        ] + optional(["progress"], &input) + (input.flag() ? ["\"isReversed\":true"] : [])
    }

    private static func release(_ input: inout Input) -> [String] {
        [
            "\"velocityY\":\(input.jsonNumber())", "\"fractionComplete\":\(input.jsonNumber())",
            "\"closedTranslationY\":\(input.jsonNumber())", "\"isOpen\":\(input.flag())",
            "\"mode\":\"\(input.flag() ? "article" : "repo")\"",
        ] + optional(["cap", "runningDuration"], &input) + (input.flag() ? ["\"isReversed\":true"] : [])
    }

    private static func pictureInPicture(_ input: inout Input) -> [String] {
        [
            "\"center\":\(vector(&input))", "\"velocity\":\(vector(&input))",
            "\"corners\":[\(list(&input) { vector(&$0) })]",
        ] + rate(&input)
    }

    private static func rotation(_ input: inout Input) -> [String] {
        ["\"rotation\":\(input.jsonNumber())", "\"velocity\":\(input.jsonNumber())"] + rate(&input)
            + optional(["originalRotation"], &input) + (input.flag() ? ["\"clamp\":\(input.flag())"] : [])
    }

    private static func rate(_ input: inout Input) -> [String] {
        switch input.count(upTo: 3) {
        case 0: []
        case 1: ["\"decelerationRate\":\"normal\""]
        case 2: ["\"decelerationRate\":\"fast\""]
        default: ["\"decelerationRate\":\(input.jsonNumber())"]
        }
    }

    private static func optional(_ names: [String], _ input: inout Input) -> [String] {
        names.compactMap { input.flag() ? "\"\($0)\":\(input.jsonNumber())" : nil }
    }

    private static func vector(_ input: inout Input) -> String {
        "[\(input.jsonNumber()),\(input.jsonNumber())]"
    }

    private static func list(_ input: inout Input, _ element: (inout Input) -> String) -> String {
        let count = input.count(upTo: 8)
        var elements: [String] = []
        for _ in 0..<count { elements.append(element(&input)) }
        return elements.joined(separator: ",")
    }
}

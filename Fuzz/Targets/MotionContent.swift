import Motion
import SpringConventions

@testable import MotionFeature

/// Contents of gestures and of files with design tokens, with numbers from the table of extremes.
enum MotionContent {
    static let paths = [
        "gestures/pause", "gestures/force-button", "gestures/calculator-button", "gestures/drawer", "gestures/drawer",
        "gestures/pip", "gestures/rotation", "design-tokens",
    ]

    /// Returns the target and the content of an operation.
    static func request(_ index: Int, _ input: inout Input) -> (path: String, content: String) {
        let members: [String] =
            switch index {
            case 0: pause(&input)
            case 1: forceButton(&input)
            case 2: ["\"events\":[\(list(&input) { "\"\($0.choice(calculatorEvents))\"" })]"]
            case 3: drag(&input)
            case 4: release(&input)
            case 5: pictureInPicture(&input)
            case 6: rotation(&input)
            default: group(&input, depth: 0)
            }
        let query = index == 7 ? "?platform=\(input.choice(DesignTokens.Platform.allCases).rawValue)" : ""
        return ("/v1/\(paths[index])\(query)", "{\(members.joined(separator: ","))}")
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

    /// Names that Swift or the service may take for other ones.
    private static let names = [
        "a", "b", "sheet", "\u{e9}", "e\u{301}", "a\u{600}", "$root", "$ref", "a.b", "*/\u{301}", "1", "in", "hashCode",
    ]

    private static func group(_ input: inout Input, depth: Int) -> [String] {
        let type = input.choice([nil, "spring", "spring", "duration", "cubicBezier", "color"])
        var members = type.map { ["\"$type\":\"\($0)\""] } ?? []
        for number in 0..<input.count(upTo: 8) {
            let name = input.choice(names) + (input.flag() ? "\(number)" : "")
            let isGroup = depth < 3 && input.byte() > 200
            let content = isGroup ? group(&input, depth: depth + 1) : designToken(&input)
            members.append("\"\(name)\":{\(content.joined(separator: ","))}")
        }
        return members
    }

    private static func designToken(_ input: inout Input) -> [String] {
        var members = ["\"$value\":\(value(&input))"]
        if input.flag() { members.append("\"$description\":\"\(input.choice(names))\"") }
        if input.byte() > 200 { members.append("\"$extensions\":{\"springbar.spring\":\(spring(&input))}") }
        return members
    }

    private static func value(_ input: inout Input) -> String {
        switch input.count(upTo: 7) {
        case 0: "\"{\(input.choice(names))}\""
        case 1: "\"\(input.number())\(input.flag() ? "ms" : "s")\""
        case 2: "{\"value\":\(input.jsonNumber()),\"unit\":\"\(input.flag() ? "ms" : "s")\"}"
        case 3: "[\(list(&input) { $0.jsonNumber() })]"
        default: spring(&input)
        }
    }

    /// Returns a convention with its required parameters and some others, and rarely with members of other names.
    private static func spring(_ input: inout Input) -> String {
        let convention = input.choice(Conventions.all)
        var members = input.byte() < 224 ? ["\"convention\":\"\(convention.id)\""] : []
        for parameter in convention.parameters where parameter.fallback == nil || input.flag() {
            members.append("\"\(parameter.name)\":\(parameter.isFlag ? "\(input.flag())" : input.jsonNumber())")
        }
        if input.byte() > 224 {
            members += (0...input.count(upTo: 2)).map { "\"\(names[3 + $0])\":\(input.jsonNumber())" }
        }
        return "{\(members.joined(separator: ","))}"
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

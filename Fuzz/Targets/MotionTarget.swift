import Glibc
import HTTPTypes
import JSON
import Motion
import SpringConventions

@testable import BarFeature
@testable import HTTPExchange
@testable import MotionFeature
@testable import SpringbarService

/// Every motion operation of the service, with values from the table of extremes.
///
/// The first byte selects the operation; the rest selects parameters and their values. Most queries name a convention
/// and have all of its parameters, because the service refuses most other requests early.
@Sendable
func fuzzMotion(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let selector = Int(input.byte()) % (operations.count + MotionContent.paths.count)
    var request: Request
    if selector < operations.count {
        request = Request(method: .get, target: operations[selector].target(&input))
    } else {
        let (path, content) = MotionContent.request(selector - operations.count, &input)
        request = Request(
            method: .post,
            target: Target(path),
            fields: [.contentType: "application/json"],
            content: Array(content.utf8)
        )
    }
    if request.target.path == "/v1/springs/linear", input.flag() { request.fields[.accept] = "text/css" }

    let start = processorTime()
    let answer = Service.application.answer(request, atMost: 1 << 20)
    let seconds = processorTime() - start
    let limit = MotionLimits.seconds(for: request.target.path)
    require(seconds < limit, "\(seconds) s of CPU for \(request.target); the limit is \(limit)")
    require([200, 400, 422].contains(answer.status), "\(answer.status) for \(request.target): \(answer.text)")
    if answer.status == 200 { check(answer, to: request) }
    if answer.status == 422, request.method == .get { checkFaults(answer.json, request) }
}

/// The processor time that a response may take.
enum MotionLimits {
    /// The contract allows a second for easings and a tenth for other operations.
    ///
    /// Instrumented code takes up to three times as long, and a busy machine slightly more.
    static func seconds(for path: Substring) -> Double {
        ["linear", "retarget", "export", "design-tokens"].contains(where: path.hasSuffix) ? 3 : 0.5
    }
}

/// Returns the processor time of all threads of the process; other processes do not count.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

private struct Operation: Sendable {
    let path: String
    /// Prefixes of the springs in the query; empty for an operation without springs.
    var springs: [String] = []
    /// The other parameters.
    var others: [String] = []
    /// The one of them that all requests have.
    var required: String?
    /// Values of parameters that are not numbers.
    var words: [String: [String]] = [:]

    func target(_ input: inout Input) -> Target {
        var pairs: [String] = []
        for (index, prefix) in springs.enumerated() where index == 0 || prefix == "b." || input.flag() {
            if index > 0, springs[0] == "", input.byte() < 160 { continue }
            pairs += spring(prefix, &input)
        }
        for name in others where input.byte() & 3 < (name == required ? 4 : 2) {
            if let words = words[name], input.byte() < 192 {
                pairs.append("\(name)=\(input.choice(words))")
            } else {
                pairs.append("\(name)=\(input.number())")
            }
        }
        if input.byte() > 250 { pairs.append("\(input.choice(Conventions.parameterNames))=\(input.number())") }
        return Target(pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))")
    }

    /// Returns a convention with its required parameters, and some others.
    private func spring(_ prefix: String, _ input: inout Input) -> [String] {
        let convention = input.choice(Conventions.all)
        var pairs = input.byte() < 224 ? ["\(prefix)convention=\(convention.id)"] : []
        for parameter in convention.parameters where parameter.fallback == nil || input.flag() {
            let name = input.byte() < 240 ? parameter.name : parameter.aliases.first ?? parameter.name
            pairs.append("\(prefix)\(name)=\(parameter.isFlag ? "\(input.flag())" : input.number())")
        }
        for name in ["initialVelocity", "epsilon"] where input.byte() > 200 {
            pairs.append("\(prefix)\(name)=\(input.number())")
        }
        return pairs
    }
}

private let operations: [Operation] = {
    let operations = calculators + projections
    let paths = Set(operations.map(\.path) + MotionContent.paths.map { "/v1/\($0)" })
    for route in Service.routes where route.template.hasPrefix("/v1/") {
        guard case .read = route.query, !route.template.contains("photos"), !route.template.contains("/bars") else {
            continue
        }
        require(paths.contains(route.template) || route.template.contains("{"), "\(route.template) is not fuzzed")
    }
    return operations
}()

private let calculators: [Operation] = [
    Operation(path: "/v1/springs", springs: [""]),
    Operation(
        path: "/v1/springs/curve",
        springs: [""],
        others: ["time", "times", "fps", "curveDuration", "start", "target", "velocity"],
        words: ["times": ["0,0.016", "0", "1e6,5e-324,1"]]
    ),
    Operation(path: "/v1/springs/linear", springs: [""], others: ["maxError", "duration", "curveDuration"]),
    Operation(
        path: "/v1/springs/export",
        springs: [""],
        others: ["format", "maxError", "duration", "curveDuration"],
        required: "format",
        words: ["format": EasingCode.allCases.map(\.rawValue)]
    ),
    Operation(
        path: "/v1/springs/retarget",
        springs: ["", "b."],
        others: ["start", "target", "velocity", "time", "newTarget", "cap", "maxError", "runningDuration"]
    ),
    Operation(path: "/v1/springs/compare", springs: ["a.", "b."]),
    Operation(path: "/v1/springs/plot.svg", springs: ["", "b."]),
    Operation(path: "/v1/springs/plot.png", springs: ["", "b."]),
    Operation(path: "/v1/springs/presets", springs: [""]),
    Operation(path: "/v1/springs/conventions"),
    Operation(
        path: "/v1/rubberband",
        others: ["model", "offset", "exponent", "dimension", "constant", "value", "verticalOffset"],
        words: ["model": ["power", "apple", "appleInverse", "accelerationDrag"]]
    ),
    Operation(path: "/v1/relative-velocity", others: ["velocity", "current", "target", "cap"]),
]

/// The projection by each model, which refuses the parameters of another one.
private let projections = Fling.models.map { model in
    Operation(
        path: "/v1/projection",
        others: ["model"] + model.names,
        required: "model",
        words: [
            "model": [model.name], "decelerationRate": ["normal", "fast"],
            "targets": ["0", "0,100,-1e9", "1e9,1e9"], "times": ["0", "0,1,1e9"],
        ]
    )
}

/// Checks that each error of a query names one of its parameters, or one whose default does not fit the others.
private func checkFaults(_ json: JSONValue, _ request: Request) {
    let pairs = request.target.raw.split { "?&".contains($0) }.dropFirst()
    let names = pairs.map { $0.prefix { $0 != "=" } } + ["maxError", "curveDuration", "fps"]
    let errors = (try? json.object().required("errors").array()) ?? []
    let faults = errors.map { (try? $0.object().required("parameter").string()) ?? "" }
    require(!faults.isEmpty, "no error of \(request.target)")
    for fault in faults { require(names.contains(fault[...]), "\(fault) is not in \(request.target)") }
}

/// Checks for `nan` and `inf`, and checks the operation's own rules.
private func check(_ answer: Answer, to request: Request) {
    guard !request.target.path.hasSuffix(".png") else {
        return require(answer.bytes.starts(with: [0x89] + Array("PNG".utf8)), "not a PNG: \(request.target)")
    }
    let words = answer.text.split { !$0.isLetter && !$0.isNumber }
    let none = words.first { ["inf", "nan", "infinity", "Infinity", "NaN"].contains($0) }
    // Code snippets may contain such a constant of their language.
    if let none, none != "infinity" || request.target.path.hasSuffix(".svg") {
        fail("\(none) in the response to \(request.target): \(answer.text)")
    }
    switch request.target.path {
    case "/v1/springs/plot.svg": checkPlot(answer.text, request)
    case "/v1/springs/linear" where request.fields[.accept] == nil: checkEasing(answer.json, request)
    default: break
    }
}

/// Checks that the easing is as close to the spring as requested.
private func checkEasing(_ json: JSONValue, _ request: Request) {
    guard let answer = try? json.object(), let error = try? answer.double("maxError"),
        let query = try? Query(request.target, allowing: LinearQuery.names),
        let css = try? answer.required("css").string()
    else { fail("the response is not an easing: \(request.target)") }
    let asked = (try? query.double("maxError")).flatMap { $0 } ?? LinearQuery.maxError
    require(error <= asked * 1.000001 + 1e-12, "off by \(error), not \(asked): \(request.target)")
    require(css.hasPrefix("linear("), "\(css) for \(request.target)")
}

/// Checks that the picture is an SVG with its content inside the view box.
private func checkPlot(_ svg: String, _ request: Request) {
    require(svg.hasPrefix("<svg") && svg.contains("</svg>"), "the response is not an SVG: \(request.target)")
    require(
        svg.utf8.count { $0 == UInt8(ascii: "<") } == svg.utf8.count { $0 == UInt8(ascii: ">") },
        "\(request.target)"
    )
    for attribute in ["x", "y", "cx", "cy", "x1", "x2", "y1", "y2"] {
        for part in svg.split(separator: " \(attribute)=\"").dropFirst() {
            let number = Double(part.prefix { $0 != "\"" }) ?? .nan
            require(-1...2000 ~= number, "\(attribute) is \(number) in the plot of \(request.target)")
        }
    }
}

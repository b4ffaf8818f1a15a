import Foundation
import HTTPExchange
import HTTPTypes
import Motion
import Primitives
import ServiceHarness
import SpringConventions
import TestSupport
import Testing

/// The service accepts exactly the ranges that the contract states for the motion operations.
@Suite("Published ranges")
struct PublishedRangesTests {
    /// A parameter of an operation and one end of its range.
    struct End: Sendable, CustomTestStringConvertible {
        let path: String
        let name: String
        /// The last allowed number, and one beyond it.
        let inside: Double
        let outside: Double

        var testDescription: String { "\(path) \(name)=\(inside)" }
    }

    /// Returns a number with or without a decimal point.
    private static func double(_ value: Any?) -> Double? {
        // By its text, because JSONSerialization rounds a number of 17 digits.
        (value as? NSNumber).flatMap { Double($0.description) }
    }

    /// Returns a node, or the node that it references.
    private static func follow(_ node: [String: Any], in document: [String: Any]) -> [String: Any] {
        guard let reference = node["$ref"] as? String else { return node }
        return reference.split(separator: "/").dropFirst().reduce(document) { node, name in
            node[String(name)] as? [String: Any] ?? [:]
        }
    }

    static let ends: [End] = {
        let contract = (try? Checkout.contract()) ?? [:]
        let paths = contract["paths"] as? [String: Any] ?? [:]
        return paths.sorted { $0.key < $1.key }.flatMap { parameters(of: $0, $1, in: contract) }
    }()

    /// Returns the ends of the parameters of a path.
    private static func parameters(of path: String, _ item: Any, in document: [String: Any]) -> [End] {
        guard let get = (item as? [String: Any])?["get"] as? [String: Any],
            get["tags"] as? [String] == ["Motion"]
        else { return [] }
        return (get["parameters"] as? [[String: Any]] ?? []).map { follow($0, in: document) }.flatMap {
            parameter -> [End] in
            guard let name = parameter["name"] as? String, let schema = parameter["schema"] as? [String: Any],
                !isOfSomeConvention(name)
            else { return [] }
            let number = { (key: String) in double(schema[key]) }
            let beyond = { (end: Double) in max(abs(end) * 1e-6, 1e-12) }
            var ends: [End] = []
            if let low = number("minimum") {
                ends.append(End(path: path, name: name, inside: low, outside: low - beyond(low)))
            }
            if let low = number("exclusiveMinimum") {
                ends.append(End(path: path, name: name, inside: low.nextUp, outside: low))
            }
            if let high = number("maximum") {
                ends.append(End(path: path, name: name, inside: high, outside: high + beyond(high)))
            }
            if let high = number("exclusiveMaximum") {
                ends.append(End(path: path, name: name, inside: high.nextDown, outside: high))
            }
            return ends
        }
    }

    /// Returns whether a parameter belongs to springs of other conventions than `wwdc`, or to the springs `a` or `b`.
    ///
    /// Its range is the widest of any convention; `Tests/Contract/test_queries.py` compares it.
    private static func isOfSomeConvention(_ name: String) -> Bool {
        switch name {
        case "a.dampingRatio", "a.response", "b.dampingRatio", "b.response": return false
        case _ where name.hasPrefix("a.") || name.hasPrefix("b."): return true
        case "dampingRatio", "response", "epsilon": return false
        default: return Conventions.all.contains { $0.parameters.contains { $0.names.contains(name) } }
        }
    }

    private static let examples = (try? Checkout.exampleTargets(tag: "Motion")) ?? [:]

    /// Returns a request's other parameters: those of the contract's example, unless they do not fit this end.
    private static func companions(_ end: End) -> String {
        let spring = "dampingRatio=0.8&response=0.3"
        switch (end.path, end.name) {
        case ("/v1/springs/compare", _): return "a.dampingRatio=0.8&a.response=0.3&b.dampingRatio=0.5&b.response=0.4"
        case ("/v1/springs/linear", "curveDuration") where end.inside < 1:
            return "dampingRatio=0&response=6.3e-5&initialVelocity=1e6&maxError=0.1"
        case ("/v1/springs/linear", "curveDuration"): return "dampingRatio=0.5&response=60&maxError=0.1"
        case ("/v1/springs/linear", "initialVelocity"): return "dampingRatio=0.8&response=6.3e-5&maxError=0.1"
        case ("/v1/springs/linear", "dampingRatio"):
            return end.inside == 0 ? "response=1&curveDuration=0.25&maxError=0.1" : "response=0.3&maxError=0.1"
        case ("/v1/springs/curve", "dampingRatio"): return "response=1&time=1"
        case ("/v1/springs/curve", "curveDuration"): return spring + "&fps=1"
        case ("/v1/springs/curve", "response"): return "dampingRatio=0.8&fps=1"
        case ("/v1/springs/curve", "velocity"), ("/v1/springs/curve", "start"): return spring + "&time=0.1&target=1"
        case ("/v1/springs/retarget", "b.dampingRatio"), ("/v1/springs/retarget", "b.response"):
            return spring + "&target=300&time=0.1&newTarget=50&maxError=0.1&b.dampingRatio=0.7&b.response=0.2"
        case ("/v1/springs/retarget", _): return spring + "&target=300&time=0.1&newTarget=50&maxError=0.1"
        case ("/v1/springs/plot.svg", "b.dampingRatio"), ("/v1/springs/plot.svg", "b.response"),
            ("/v1/springs/plot.png", "b.dampingRatio"), ("/v1/springs/plot.png", "b.response"):
            return spring + "&b.dampingRatio=0.7&b.response=0.2"
        case ("/v1/springs/export", "curveDuration") where end.inside < 1:
            return "format=gsap&dampingRatio=0&response=6.3e-5&initialVelocity=1e6&maxError=0.1"
        case ("/v1/springs/export", "curveDuration"): return "format=gsap&dampingRatio=0.5&response=60&maxError=0.1"
        case ("/v1/springs/export", "dampingRatio"):
            return "format=gsap&response=1&maxError=0.1" + (end.inside == 0 ? "&curveDuration=0.25" : "")
        case ("/v1/springs/export", _): return "format=gsap&" + spring
        case ("/v1/projection", "distance"): return ""
        case ("/v1/projection", "leadingExtent"):
            return "model=flutter.bouncing&velocity=1000&trailingExtent=1000000000"
        case ("/v1/projection", "trailingExtent"):
            return "model=flutter.bouncing&velocity=1000&leadingExtent=-1000000000"
        case ("/v1/projection", "friction"): return "model=android.exponential&velocity=1000"
        case ("/v1/projection", "density"): return "model=android.spline&velocity=1000"
        case ("/v1/projection", "power"), ("/v1/projection", "timeConstant"):
            return "model=motion.inertia&velocity=1000"
        case ("/v1/projection", "drag"): return "model=flutter.friction&velocity=1000"
        case ("/v1/projection", "decay"): return "model=reactspring.decay&velocity=1000"
        case ("/v1/projection", _): return "velocity=1000"
        case ("/v1/rubberband", "value"): return "model=appleInverse&dimension=667"
        case ("/v1/rubberband", "dimension"), ("/v1/rubberband", "constant"):
            return "model=apple&offset=10&dimension=667"
        case ("/v1/rubberband", "verticalOffset"): return "model=accelerationDrag&offset=10"
        case ("/v1/rubberband", _): return "offset=10"
        case (let path, _) where path.hasPrefix("/v1/springs"): return spring
        default: return examples[end.path]?.split(separator: "?").dropFirst().first.map(String.init) ?? ""
        }
    }

    private static func target(_ end: End, _ value: Double) -> String {
        var pairs = companions(end).split(separator: "&").map(String.init).filter { !$0.hasPrefix(end.name + "=") }
        pairs.append("\(end.name)=\(value)")
        return end.path + "?" + pairs.joined(separator: "&")
    }

    @Test("of the query are exact at both ends", arguments: ends)
    func query(end: End) throws {
        let service = try Service()
        let inside = service.get(Self.target(end, end.inside))
        #expect(inside.status == 200, "\(Self.target(end, end.inside)) \(inside.text)")
        let outside = service.get(Self.target(end, end.outside))
        #expect(outside.status == 422, "\(Self.target(end, end.outside))")
        #expect(outside.faults == [end.name])
    }

    @Test("are not empty")
    func found() {
        #expect(Self.ends.count > 80, "\(Self.ends.count)")
    }

    @Test("of springs are listed with the conventions")
    func springs() throws {
        let answer = try Service().get("/v1/springs/conventions")
        #expect(answer.number("springs/naturalFrequency/minimum") == 1e-4)
        #expect(answer.number("springs/naturalFrequency/maximum") == 1e5)
        #expect(answer.number("springs/response/minimum") == SpringRange.responses.lower)
        #expect(answer.number("springs/settlingTime/maximum") == 1e6)
    }
}

import Foundation
import Glibc
import HTTPExchange
import Motion
import MotionFeature
import TestSupport
import Testing

/// Any value of any parameter has an answer: numbers, or a 4xx that names the parameter.
@Suite("Extreme numbers", .timeLimit(.minutes(10)))
struct ExtremeNumbersTests {
    /// An operation with values for which it answers 200.
    struct Operation: Sendable, CustomTestStringConvertible {
        let path: String
        let valid: [(name: String, value: String)]
        /// The members of JSON content as a template with `$name` for each value; nil for a query.
        var content: String?
        /// The number of pairs and triples of extremes to send.
        var rounds = 40
        /// Whether the operation searches for an easing.
        var isFitted: Bool { ["linear", "retarget", "export"].contains(where: path.hasSuffix) }

        var testDescription: String { "\(path)?\(valid.map(\.name).joined(separator: "&"))" }

        func target(_ values: [(name: String, value: String)]) -> String {
            guard content == nil, !values.isEmpty else { return path }
            return "\(path)?" + values.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        }
    }

    private static func springs(_ path: String, rounds: Int = 30, _ more: String = "") -> [Operation] {
        let bases = [
            "dampingRatio=0.8&response=0.3&initialVelocity=0&epsilon=0.001",
            "convention=physical&mass=1&stiffness=100&damping=10&initialVelocity=2",
            "convention=swiftui.settlingDuration&settlingDuration=1&dampingRatio=0.5&epsilon=0.001",
            "convention=flutter.dampingRatio&mass=1&stiffness=100&ratio=0.5&initialVelocity=-1",
            "convention=reanimated.durationRatio&durationMs=550&dampingRatio=1&epsilon=0.01",
        ]
        return bases.map { Operation(path: path, valid: pairs($0 + more), rounds: rounds) }
    }

    private static func pairs(_ query: String) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts[1])
        }
    }

    private static func others(_ path: String, _ queries: [String]) -> [Operation] {
        queries.map { Operation(path: path, valid: pairs($0)) }
    }

    private static let queries: [Operation] = {
        let conventions = [
            "convention=swiftui.durationBounce&duration=0.5&bounce=0.3", "convention=origami&tension=40&friction=7",
            "convention=reactspring.frequency&frequency=0.3&damping=1&mass=1",
            "convention=reactspring.tensionFriction&tension=170&friction=26&mass=1",
            "convention=motion.durationBounce&durationMs=800&bounce=0.3",
            "convention=motion&visualDuration=0.3&bounce=0.2",
            "convention=anime.durationBounce&durationMs=628&bounce=0.5",
            "convention=reactnative.bouncinessSpeed&bounciness=8&speed=12",
            "convention=flutter.durationBounce&duration=0.5&bounce=0",
            "convention=swiftui.physical&mass=1&stiffness=100&damping=30&allowOverDamping=true",
            "convention=settling&settlingDuration=0.5&overshoot=0.1&epsilon=0.001",
            "convention=uikit.durationRatio&duration=0.5&dampingRatio=0.8&initialVelocity=1",
            "convention=svelte&stiffness=0.15&damping=0.8&fps=60",
            "convention=anime.physical&mass=1&stiffness=100&damping=10",
        ]
        let b = "&b.dampingRatio=0.5&b.response=0.4&b.initialVelocity=1"
        let a = "a.dampingRatio=0.8&a.response=0.3&a.initialVelocity=2&a.epsilon=0.01"
        let easings: [Operation] = Array(
            springs("/v1/springs/linear", rounds: 3, "&maxError=0.1&curveDuration=2.5").prefix(1)
        )
        return springs("/v1/springs") + others("/v1/springs", conventions)
            + springs("/v1/springs/curve", "&times=0,0.016")
            + others(
                "/v1/springs/curve",
                [
                    "dampingRatio=1&response=0.4&fps=60&curveDuration=1",
                    "dampingRatio=0.5&response=0.4&time=0.1&start=0&target=300&velocity=1200",
                ]
            ) + easings
            + others(
                "/v1/springs/retarget",
                [
                    "dampingRatio=0.8&response=0.3&start=0&target=300&velocity=10&time=0.1&newTarget=100&maxError=0.1",
                    "dampingRatio=1&response=0.4&target=300&time=0.1&newTarget=0&cap=30&maxError=0.1&runningDuration=0.6",
                    "dampingRatio=1&response=0.4&target=300&time=0.1&newTarget=0&maxError=0.1&b.dampingRatio=1&b.response=0.5",
                ]
            ) + others("/v1/springs/compare", [a + b])
            + springs("/v1/springs/plot.svg", b) + springs("/v1/springs/presets", rounds: 20)
            + [Operation(path: "/v1/springs/conventions", valid: [])]
            + others(
                "/v1/projection",
                [
                    "velocity=1000&decelerationRate=0.99&position=3&time=1&threshold=0.5&targets=1,2&cap=30",
                    "distance=300&decelerationRate=0.998",
                    "model=android.exponential&velocity=1000&friction=1&threshold=0.1&times=0,100",
                    "model=android.spline&velocity=5000&density=2.75&friction=0.015&times=0,100",
                    "model=flutter.clamping&velocity=1000&friction=0.015&times=0,100",
                    "model=flutter.bouncing&velocity=1000&start=3&leadingExtent=0&trailingExtent=9&time=1&times=0,100",
                    "model=motion.inertia&velocity=1000&start=3&power=0.8&timeConstant=325&times=0,100",
                    "model=flutter.friction&velocity=1000&start=0&drag=0.135&time=0.5",
                    "model=reactspring.decay&velocity=1000&start=0&decay=0.998&time=0.5",
                ]
            )
            + others(
                "/v1/rubberband",
                [
                    "offset=100&exponent=0.7", "model=apple&offset=100&dimension=667&constant=0.55",
                    "model=appleInverse&value=50&dimension=667&constant=0.55",
                    "model=accelerationDrag&offset=-400&verticalOffset=180",
                ]
            )
    }()

    /// The operations of the contract that are not above, each with its example.
    private static func further() throws -> [Operation] {
        try Checkout.exampleTargets(tag: "Motion").sorted { $0.key < $1.key }.compactMap { path, target in
            guard !queries.contains(where: { $0.path == path }),
                let query = target.split(separator: "?").dropFirst().first
            else { return nil }
            return Operation(path: path, valid: pairs(String(query)))
        }
    }

    private static let gestures = [
        Operation(
            path: "/v1/gestures/pause",
            valid: pairs("v=10&o=60"),
            content: #"{"samples":[{"velocity":$v,"offset":$o},{"velocity":$v,"offset":60}]}"#
        ),
        Operation(
            path: "/v1/gestures/force-button",
            valid: pairs("f=0.6&d=10"),
            content: #"{"events":[{"type":"begin","force":$f,"distance":$d}]}"#
        ),
        Operation(
            path: "/v1/gestures/calculator-button",
            valid: pairs("e=\"touchDown\""),
            content: #"{"events":[$e]}"#
        ),
        Operation(
            path: "/v1/gestures/drawer",
            valid: pairs("t=-100&c=500&p=0.5"),
            content: #"{"translationY":$t,"closedTranslationY":$c,"progress":$p,"isOpen":false}"#
        ),
        Operation(
            path: "/v1/gestures/drawer",
            valid: pairs("v=-800&f=0.3&c=500&r=0.5&k=30"),
            content:
                #"{"velocityY":$v,"fractionComplete":$f,"closedTranslationY":$c,"isOpen":true,"runningDuration":$r,"cap":$k}"#
        ),
        Operation(
            path: "/v1/gestures/pip",
            valid: pairs("x=1&y=2&v=300&w=-20&a=0&b=500&d=0.99"),
            content: #"{"center":[$x,$y],"velocity":[$v,$w],"corners":[[$a,0],[0,$b]],"decelerationRate":$d}"#
        ),
        Operation(
            path: "/v1/gestures/rotation",
            valid: pairs("r=1&v=3&d=0.99&o=0.5"),
            content: #"{"rotation":$r,"velocity":$v,"decelerationRate":$d,"originalRotation":$o,"clamp":false}"#
        ),
    ]

    /// Sends a request and checks the answer.
    private func check(_ service: MotionService, _ operation: Operation, _ values: [(name: String, value: String)])
        async throws -> Int
    {
        let start = Self.processTime()
        let answer: MotionService.Answer
        if var content = operation.content {
            for (name, value) in values { content = content.replacingOccurrences(of: "$\(name)", with: value) }
            answer = try await service.post(operation.path, content)
        } else {
            answer = try await service.get(operation.target(values))
        }
        let time = Self.processTime() - start
        let said = "\(operation.target(values).prefix(300)) \(values.prefix(6)) \(answer.text.prefix(300))"
        #expect(answer.status == 200 || (400..<500).contains(answer.status), "\(said)")
        #expect(answer.text.firstMatch(of: /(?i)[^a-z0-9](inf|nan)[^a-z0-9]/) == nil, "\(said)")
        // An answer with easings takes up to 15 of them, and another one up to 1.2.
        #expect(time < Self.unit * (operation.isFitted ? 25 : 3), "\(time / Self.unit) units \(said)")
        if answer.fields[.contentType] == "application/json" {
            #expect(Self.isFinite(answer.json), "\(said)")
        }
        if answer.status == 422, operation.content == nil {
            #expect(!answer.faults.isEmpty, "\(said)")
            let given = Set(values.map(\.name))
            #expect(answer.faults.allSatisfy { given.contains($0) || operation.path.hasSuffix("linear") }, "\(said)")
        }
        return answer.status
    }

    private static func isFinite(_ value: Any) -> Bool {
        switch value {
        case let object as [String: Any]: object.values.allSatisfy(isFinite)
        case let array as [Any]: array.allSatisfy(isFinite)
        case let number as NSNumber: number.doubleValue.isFinite
        default: true
        }
    }

    /// Returns the CPU seconds of this process.
    private static func processTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The CPU seconds of a million positions of a spring, in which times are measured: a slow build or machine lengthens both.
    private static let unit: Double = {
        guard let spring = try? Spring(dampingRatio: 0.1, response: 1) else { return 0 }
        let (curve, start) = (SpringCurve(spring), processTime())
        let sum = (0..<1_000_000).reduce(0) { $0 + curve.position(at: Double($1) / 1_000_000) }
        return sum.isFinite ? processTime() - start : 0
    }()

    @Test("have an answer alone, in pairs and in triples", arguments: try queries + further() + gestures)
    func extremes(operation: Operation) async throws {
        let service = try MotionService(handlers: MotionHandlers(cacheBytes: 0))
        #expect(try await check(service, operation, operation.valid) == 200)
        var statuses: [Int: Int] = [:]
        for index in operation.valid.indices {
            // Without optimisation a search for an easing takes seconds. Tests/Attacks sends all cases to the release
            // build.
            let step = operation.isFitted ? 23 : operation.path.hasPrefix("/v1/springs") ? 4 : 1
            for value in stride(from: index % step, to: ExtremeNumbers.all.count, by: step).map({
                ExtremeNumbers.all[$0]
            }) {
                var values = operation.valid
                values[index].value = value
                statuses[try await check(service, operation, values), default: 0] += 1
            }
        }
        guard !operation.valid.isEmpty else { return }
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<(operation.isFitted ? 3 : operation.rounds) {
            var values = operation.valid
            for _ in 0..<Int.random(in: 2...3, using: &generator) {
                let index = Int.random(in: values.indices, using: &generator)
                values[index].value = ExtremeNumbers.numbers.randomElement(using: &generator)!
            }
            statuses[try await check(service, operation, values), default: 0] += 1
        }
        // The table contains both allowed and forbidden numbers.
        #expect(statuses.keys.contains { $0 >= 400 })
        if operation.content == nil { #expect(statuses[200] ?? 0 > 0) }
    }

    @Test(
        "springs out of range are refused, and the service keeps running",
        arguments: [
            ("linear?dampingRatio=0.8&response=1e-70", ["response"]),
            ("linear?dampingRatio=0.8&response=1e-14", ["response"]),
            (
                "linear?convention=flutter.dampingRatio&mass=1e-09&stiffness=1e12&ratio=1e-09&maxError=0.05&curveDuration=60",
                ["mass", "stiffness"]
            ),
            (
                "retarget?convention=swiftui.response&response=1e-100&dampingRatio=0.8&target=300&time=0.1&newTarget=0",
                ["response"]
            ),
            ("plot.svg?dampingRatio=3.77e-307&response=60", ["dampingRatio", "response"]),
            ("compare?a.duration=1e-100&a.bounce=0&b.dampingRatio=1&b.response=1", ["a.duration"]),
            ("plot.svg?dampingRatio=1&response=1&b.damping=1e-300&b.stiffness=1", ["b.stiffness", "b.damping"]),
        ]
    )
    func issue(target: String, faults: [String]) async throws {
        let service = try MotionService()
        let answer = try await service.get("/v1/springs/\(target)")
        #expect(answer.status == 422)
        #expect(answer.json["type"] as? String == "/problems/spring-out-of-range")
        #expect(answer.faults == faults, "\(answer.text)")
        #expect(try await service.get("/v1/springs/plot.svg?dampingRatio=1&response=1").status == 200)
    }

    @Test("of a hundred thousand digits are parsed in time", arguments: ["9", "0.3", "1e0", "-0.0"])
    func digits(prefix: String) async throws {
        let service = try MotionService()
        let number = prefix + String(repeating: "3", count: 100_000)
        for target in [
            "/v1/springs?dampingRatio=\(number)&response=1",
            "/v1/springs/curve?dampingRatio=1&response=1&times=0,\(number)",
            "/v1/projection?velocity=\(number)",
        ] {
            let start = Self.processTime()
            let answer = try await service.get(target)
            #expect([200, 400, 422].contains(answer.status))
            #expect(Self.processTime() - start < Self.unit)
        }
    }
}

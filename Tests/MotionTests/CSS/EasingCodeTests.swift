import Foundation
import Motion
import SpringConventions
import TestSupport
import Testing

@Suite("Easings in source code")
struct EasingCodeTests {
    /// Springs of every regime, also next to critical damping, and with a velocity.
    static let curves: [SpringCurve] = [0.2, 0.8, 1 - 1e-9, 1, 1 + 1e-9, 1.02, 4].flatMap { ratio in
        [0.0, -3, 8].map { velocity in
            SpringCurve(Spring(ratio: ratio, frequency: 2 * .pi / 0.4, mass: 1), initialVelocity: velocity)
        }
    }

    /// Runs a module of JavaScript and returns what it prints, one number a line; nil without Node.
    private func node(_ code: String, _ statements: String) throws -> [Double]? {
        let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/node" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["--input-type=module", "--eval", code + statements]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(code)")
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Double($0) }
    }

    @Test("the function for GSAP is the curve, and ends at its target", arguments: curves)
    func gsap(curve: SpringCurve) throws {
        let code = try EasingCode.gsap.text(curve, maxError: 0.002)
        let statements = "console.log(duration); for (let i = 0; i <= 200; i++) console.log(spring(i / 200));"
        guard let numbers = try node(code, statements) else { return print("Node is missing: skipped") }
        try #require(numbers.count == 202)
        for (index, position) in numbers.dropFirst().dropLast().enumerated() {
            let time = numbers[0] * Double(index) / 200
            #expect(abs(position - curve.position(at: time)) < 1e-6, "\(curve) \(time)")
        }
        #expect(numbers[201] == 1 && abs(curve.position(at: numbers[0]) - 1) <= 0.001)
    }

    /// A spring that oscillates for many thousand periods needs more digits than one that settles at once.
    @Test("the function of a long oscillation is within 1e-6 of the farthest distance", arguments: [0.0, 50])
    func digits(velocity: Double) throws {
        let curve = SpringCurve(Spring(ratio: 3e-6, response: 0.003), initialVelocity: velocity)
        let code = try EasingCode.gsap.text(curve, maxError: 0.01)
        let statements = "console.log(duration); for (let i = 0; i < 4000; i++) console.log(spring(i / 4000));"
        guard let numbers = try node(code, statements) else { return print("Node is missing: skipped") }
        try #require(numbers.count == 4001)
        let distances = (0..<4000).map { curve.remaining.displacement(at: numbers[0] * Double($0) / 4000) }
        let farthest = try #require(distances.map(abs).max())
        let errors = zip(numbers.dropFirst(), distances).map { abs(1 - $0 - $1) }
        #expect(try #require(errors.max()) < 1e-6 * farthest)
    }

    @Test("the keyframes are within their stated error", arguments: curves)
    func waapi(curve: SpringCurve) throws {
        let code = try EasingCode.waapi.text(curve, maxError: 0.005)
        let statements = """
            console.log(duration);
            for (const frame of keyframes((share) => ({ share }))) { console.log(frame.offset); console.log(frame.share); }
            """
        let stated = try #require(code.firstMatch(of: /at most ([0-9.]+) of the travel off/)?.1)
        guard let numbers = try node(code, statements) else { return print("Node is missing: skipped") }
        let offsets = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
        let values = stride(from: 2, to: numbers.count, by: 2).map { numbers[$0] }
        try #require(offsets.count == values.count && offsets.first == 0 && offsets.last == 1)
        #expect(values.first == 0 && values.last == 1 && offsets == offsets.sorted())
        var index = 0
        for point in 0...2000 {
            let offset = Double(point) / 2000
            while index < offsets.count - 2, offsets[index + 1] < offset { index += 1 }
            let part = (offset - offsets[index]) / (offsets[index + 1] - offsets[index])
            let value = values[index] + part * (values[index + 1] - values[index])
            let distance = abs(value - curve.position(at: offset * numbers[0] / 1000))
            #expect(distance <= Double(stated)! + 1e-9, "\(curve) \(offset)")
        }
    }

    @Test("Kotlin and Dart have the formula that Node evaluates", arguments: [EasingCode.android, .flutter])
    func sameFormula(format: EasingCode) throws {
        for curve in Self.curves {
            let script = try EasingCode.gsap.text(curve, maxError: 0.002)
            let code = try format.text(curve, maxError: 0.002)
            let formula = try #require(script.firstMatch(of: /progress < 1 [?] (1 - exp.*) : 1;/)?.1)
            #expect(code.contains(formula))
            #expect(code.filter { $0 == "{" }.count == code.filter { $0 == "}" }.count)
            #expect(code.filter { $0 == "(" }.count == code.filter { $0 == ")" }.count)
            #expect(try code == format.text(curve, maxError: 0.002), "the bytes are the same")
        }
    }

    @Test(
        "the duration is a double in Kotlin, also if it is whole or tiny, and microseconds in Dart",
        arguments: [2.0, 1.25, 3e-05]
    )
    func durations(seconds: Double) throws {
        let curve = SpringCurve(try Spring(dampingRatio: 1, response: seconds / 2))
        let kotlin = try EasingCode.android.text(curve, maxError: 0.002, duration: seconds)
        #expect(kotlin.contains("const val DURATION = \(seconds)\n"))
        let dart = try EasingCode.flutter.text(curve, maxError: 0.002, duration: seconds)
        #expect(dart.contains("Duration(microseconds: \(Int(seconds * 1e6)));"))
    }

    @Test("the code says how far it is off, and which spring it is")
    func comment() throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.8, response: 0.3), initialVelocity: 2)
        for format in EasingCode.allCases {
            let code = try format.text(curve, maxError: 0.002)
            #expect(
                code.hasPrefix(
                    "// Spring with damping ratio 0.8, response 0.3 s, initial velocity 2 travels per second"
                )
            )
            #expect(code.contains("of the travel"))
        }
    }
}

import Foundation
import Glibc
import HTTPExchange
import Motion
import MotionFeature
import TestSupport
import Testing

// Fuzz/Targets/MotionTarget.swift sends extreme numbers for every parameter.

@Suite("Extreme numbers", .timeLimit(.minutes(10)))
struct ExtremeNumbersTests {
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

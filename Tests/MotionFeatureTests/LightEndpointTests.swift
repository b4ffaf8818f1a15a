import Glibc
import HTTPExchange
import HTTPTypes
import Motion
import ServiceHarness
import SpringConventions
import Testing

@Suite("Curve, rubberband, relative velocity and conventions")
struct LightEndpointTests {
    @Test("frames end at the settling time, with a limit of 2000")
    func frames() throws {
        let service = try Service()
        let answer = service.get("/v1/springs/curve?dampingRatio=1&response=0.4&fps=60")
        let times = try #require(answer.json["times"] as? [Double])
        // The spring settles after 0.5878 s; at 60 frames per second.
        #expect(times.count == 37 && times[1] == 1.0 / 60)
        let long = service.get("/v1/springs/curve?dampingRatio=0.001&response=60&fps=60")
        #expect(long.status == 422 && long.faults == ["fps"])
        let spring = "/v1/springs/curve?dampingRatio=0.8&response=0.3"
        for (rate, end, count) in [(25, "0.28", 8), (10, "0.3", 4), (10, "0.31", 5), (60, "0", 1)] {
            let frames = service.get("\(spring)&fps=\(rate)&curveDuration=\(end)")
            #expect((frames.json["times"] as? [Double])?.count == count)
        }
        let tooLong = service.get("\(spring)&fps=1000&curveDuration=1.9990001")
        #expect(tooLong.status == 422 && tooLong.faults == ["fps"])
        let relative = service.get("\(spring)&initialVelocity=200")
        let inPoints = service.get("\(spring)&start=0&target=100&velocity=20000")
        #expect((inPoints.json["times"] as? [Double])?.count == 31)
        #expect(inPoints.json["times"] as? [Double] == relative.json["times"] as? [Double])
        // A travel of almost nothing has a velocity of almost infinitely many travels per second.
        let fastest = service.get("\(spring)&initialVelocity=1e6")
        let tiny = service.get("\(spring)&target=1e-300&velocity=1e9")
        #expect(tiny.json["times"] as? [Double] == fastest.json["times"] as? [Double] && tiny.status == 200)
        let endless = service.get("/v1/springs/curve?dampingRatio=0&response=1")
        #expect(endless.status == 400 && endless.faults == ["curveDuration"])
        let cut = service.get("/v1/springs/curve?dampingRatio=0&response=1&curveDuration=1&fps=10")
        #expect((cut.json["times"] as? [Double])?.count == 11)
    }

    @Test("numbers of a hundred thousand digits are read in time", arguments: ["9", "0.3", "1e0", "-0.0"])
    func digits(prefix: String) throws {
        let service = try Service()
        let number = prefix + String(repeating: "3", count: 100_000)
        for target in [
            "springs?dampingRatio=\(number)&response=1",
            "springs/curve?dampingRatio=1&response=1&times=0,\(number)", "projection?velocity=\(number)",
        ] {
            let start = clock()
            let answer = service.get("/v1/" + target)
            #expect([200, 400, 422].contains(answer.status))
            #expect(clock() - start < 1_000_000, "a second of processor time, in microseconds")
        }
    }

    @Test("2001 samples are refused")
    func tooMany() throws {
        let times = (0...2000).map { "\($0)" }.joined(separator: ",")
        let answer = try Service().get("/v1/springs/curve?dampingRatio=1&response=1&times=\(times)")
        #expect(answer.status == 422 && answer.faults == ["times"])
    }

    @Test("the list of conventions matches `Conventions.all`, with ranges and sources")
    func conventions() throws {
        let answer = try Service().get("/v1/springs/conventions")
        let conventions = try #require(answer.json["conventions"] as? [[String: Any]])
        #expect(conventions.map { $0["id"] as! String } == Conventions.all.map(\.id))
        #expect(conventions.allSatisfy { ($0["source"] as! String).isEmpty == false })
        #expect(
            answer.text.contains(
                #""name":"response","aliases":[],"type":"number","minimum":0.00006283185307179586,"maximum":60"#
            )
        )
        let listed = conventions.flatMap { $0["parameters"] as! [[String: Any]] }
        for (json, parameter) in zip(listed, Conventions.all.flatMap(\.parameters)) {
            #expect(json["name"] as? String == parameter.name)
            #expect(json["required"] as? Bool == (parameter.fallback == nil), "\(parameter.name)")
            #expect(json["default"] as? Double == parameter.fallback, "\(parameter.name)")
        }
        #expect(
            answer.text.contains(
                #""name":"overshootClamping","aliases":[],"type":"boolean","required":false,"default":false"#
            )
        )
    }
}

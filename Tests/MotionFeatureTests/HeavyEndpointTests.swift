import Foundation
import HTTPExchange
import HTTPTypes
import Motion
import ServiceHarness
import SpringConventions
import Testing

@Suite("GET /v1/springs/linear")
struct LinearEndpointTests {
    @Test("golden cases", .on(.process, .wire), arguments: MotionVector.suite("css.linear"))
    func golden(vector: MotionVector) throws {
        let answer = try Service().get("/v1/springs/linear?\(vector.query)")
        #expect(answer.status == 200, "\(answer.text)")
        let maxError = vector.expect["maxError"] as! Double
        // The minimum on this lattice, not only the allowed number.
        #expect(answer.number("stops") == vector.expect["optimalStops"] as? Double)
        #expect(answer.number("maxError")! <= maxError)
        #expect(answer.number("duration") == vector.input["duration"] as? Double)
        let css = try #require(answer.json["css"] as? String)
        #expect(css.hasPrefix("linear(0, ") && css.hasSuffix(", 1)"))
        #expect(Double(css.split(separator: ",").count) == answer.number("stops"))
        #expect((answer.json["fallback"] as? String)?.hasPrefix("cubic-bezier(") == true)
    }

    @Test("CSS and JSON are separate variants of the answer")
    func rule() throws {
        let service = try Service()
        let target = "/v1/springs/linear?dampingRatio=1&response=0.4&maxError=0.01"
        let json = service.get(target)
        let css = service.get(target, [.accept: "text/css"])
        let again = service.get(target)
        #expect(css.fields[.contentType] == "text/css; charset=utf-8")
        #expect(css.fields[.vary] == "Accept" && json.fields[.vary] == "Accept")
        #expect(css.text.contains("@supports") && css.text.contains(json.json["css"] as! String))
        #expect(again.bytes == json.bytes && json.fields[.contentType] == "application/json")
        #expect(css.fields[.eTag] != json.fields[.eTag])
        #expect(service.get(target, [.accept: "image/png"]).status == 406)
    }

    @Test("`duration` belongs to the convention if it has one; `curveDuration` always to the curve")
    func durations() throws {
        let service = try Service()
        let apple = service.get("/v1/springs/linear?duration=0.5&bounce=0&maxError=0.01")
        #expect(apple.number("duration") != 0.5)
        let both = service.get("/v1/springs/linear?duration=0.5&bounce=0&maxError=0.01&curveDuration=0.7")
        #expect(both.number("duration") == 0.7)
        let wwdc = service.get("/v1/springs/linear?dampingRatio=1&response=0.4&maxError=0.01&duration=0.6")
        #expect(wwdc.number("duration") == 0.6)
    }
}

@Suite("Retarget, compare, plot and presets")
struct HeavyEndpointTests {
    @Test("an interrupted animation keeps its position and its velocity")
    func retarget() throws {
        let service = try Service()
        let answer = service.get(
            "/v1/springs/retarget?dampingRatio=0.8&response=0.3&start=0&target=300&velocity=1200&time=0.1&newTarget=100"
        )
        // The golden case "0->300 v=1200" of spring.sampleAbsolute.
        let (value, velocity) = (228.4274381904155, 1649.0660344489886)
        #expect(abs(answer.number("value")! - value) < 1e-9 * value)
        #expect(abs(answer.number("velocity")! - velocity) < 1e-9 * velocity)
        #expect(abs(answer.number("initialVelocity")! - velocity / (100 - value)) < 1e-9)
        #expect(answer.number("settling/settlingTime")! > 0)
        #expect((answer.json["css"] as? String)?.contains("-") == true)
        // The new curve starts with the velocity at the interruption.
        let curve = service.get(
            "/v1/springs/curve?dampingRatio=0.8&response=0.3&time=0&start=\(value)&target=100&velocity=\(velocity)"
        )
        #expect(curve.number("value") == value && curve.number("velocity") == velocity)
    }

    @Test("the new travel may use another spring, with UIKit's duration factor")
    func retargetWithAnother() throws {
        let answer = try Service().get(
            """
            /v1/springs/retarget?dampingRatio=1&response=0.4&target=300&time=0.1&newTarget=0\
            &b.dampingRatio=1&b.response=0.5&runningDuration=0.6
            """
        )
        #expect(answer.number("spring/response") == 0.5)
        // QuartzCore's 0.8 s for duration 0.5, bounce 0 (spring.settlePlatform).
        #expect(abs(answer.number("durationFactor")! - 0.8 / 0.6) < 1e-9)
    }

    @Test(
        "at the target there is no travel and no relative velocity, and close to it the velocity has a limit",
        arguments: [("0", 0), ("1e-6", 1e15), ("9.9e-7", nil)] as [(String, Double?)]
    )
    func retargetInPlace(newTarget: String, velocity: Double?) throws {
        let answer = try Service().get(
            "/v1/springs/retarget?dampingRatio=1&response=0.4&target=300&velocity=1e9&time=0&newTarget=\(newTarget)"
        )
        #expect(answer.number("initialVelocity") == velocity && answer.faults == (velocity == nil ? ["newTarget"] : []))
    }

    @Test(
        "springs out of range are refused with the names of the query, and the service keeps running",
        arguments: [
            (
                "retarget?convention=swiftui.response&response=1e-100&dampingRatio=0.8&target=300&time=0.1&newTarget=0",
                ["response"]
            ),
            ("linear?damping=3.77e-307&response=60", ["damping", "response"]),
            ("compare?a.duration=1e-100&a.bounce=0&b.dampingRatio=1&b.response=1", ["a.duration"]),
            ("plot.svg?dampingRatio=1&response=1&b.damping=1e-300&b.stiffness=1", ["b.stiffness", "b.damping"]),
        ]
    )
    func outOfRange(target: String, faults: [String]) throws {
        let service = try Service()
        let answer = service.get("/v1/springs/\(target)")
        #expect(answer.status == 422 && answer.faults == faults, "\(answer.text)")
        #expect(answer.json["type"] as? String == "/problems/spring-out-of-range")
        #expect(service.get("/v1/springs/plot.svg?dampingRatio=1&response=1").status == 200)
    }

    @Test("the plot is well-formed, has a description, and follows the reader's colour scheme")
    func plot() throws {
        let answer = try Service().get(
            "/v1/springs/plot.svg?dampingRatio=0.5&response=0.4&b.dampingRatio=2&b.response=0.4"
        )
        #expect(answer.fields[.contentType] == "image/svg+xml")
        for part in [
            "role=\"img\"", "<title id=\"title\">ζ 0.5, response 0.4 s · ζ 2, response 0.4 s</title>",
            "overshoots its target by 16.3 %", "prefers-color-scheme:dark", "+16.3 %", "settled ",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        #expect(answer.text.components(separatedBy: "class=\"line").count == 3)
        // Every coordinate is inside of the picture.
        let path = try #require(answer.text.firstMatch(of: /class="line a" d="M([^"]*)"/)?.1)
        let numbers = path.split { $0 == " " || $0 == "L" }.compactMap { Double($0) }
        #expect(numbers.count == 802 && numbers.allSatisfy { 0...640 ~= $0 })
    }

    @Test("the heading is the legend and contains the velocity")
    func heading() throws {
        let query = "dampingRatio=0.5&response=0.4&initialVelocity=-3&b.dampingRatio=1&b.response=0.3"
        let answer = try Service().get("/v1/springs/plot.svg?\(query)")
        #expect(answer.text.contains(#"<tspan class="name a">ζ 0.5, response 0.4 s, velocity -3/s</tspan>"#))
        #expect(answer.text.contains(#"<tspan class="name b">ζ 1, response 0.3 s</tspan>"#))
        #expect(answer.text.contains("that starts with -3 travels a second"))
        // Labels are drawn after all curves.
        let lastPath = try #require(answer.text.range(of: #"class="line"#, options: .backwards))
        let firstNote = try #require(answer.text.range(of: #"class="note""#))
        #expect(lastPath.lowerBound < firstNote.lowerBound)
    }

    @Test("an undamped spring can be plotted")
    func undampedPlot() throws {
        let answer = try Service().get("/v1/springs/plot.svg?dampingRatio=0&response=0.4")
        #expect(answer.status == 200 && answer.text.contains("never comes to rest"))
    }

    @Test("presets are resolved, and every preset is the nearest to itself")
    func presets() throws {
        let service = try Service()
        let all = service.get("/v1/springs/presets")
        let presets = try #require(all.json["presets"] as? [[String: Any]])
        #expect(presets.count == Presets.all.count && all.json["nearest"] == nil)
        let near = service.get("/v1/springs/presets?stiffness=180&damping=12")
        let nearest = try #require(near.json["nearest"] as? [[String: Any]])
        #expect(nearest.count == Presets.platforms.count)
        let reactSpring = try #require(nearest.first { $0["platform"] as? String == "reactspring" })
        #expect(reactSpring["name"] as? String == "wobbly")
        #expect(reactSpring["maxDistance"] as! Double == 0)
    }
}

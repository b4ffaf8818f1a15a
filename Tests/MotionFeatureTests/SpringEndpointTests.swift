import HTTPExchange
import HTTPTypes
import Motion
import MotionFeature
import ServiceHarness
import SpringConventions
import Testing

@Suite("GET /v1/springs")
struct SpringEndpointTests {
    @Test("the parameters of every convention describe the same spring when they are sent back")
    func conventions() throws {
        let service = try Service()
        let answer = service.get("/v1/springs?dampingRatio=0.7&response=0.5")
        let conventions = try #require(answer.json["conventions"] as? [String: [String: Any]])
        #expect(conventions.count == Conventions.all.count)
        for (id, convention) in conventions where convention["exact"] as? Bool == true {
            let parameters = try #require(convention["parameters"] as? [String: Any])
            let query = parameters.map { name, value in
                "\(name)=\(Conventions.flagNames.contains(name) ? "\(value as! Bool)" : "\(value)")"
            }
            let other = service.get("/v1/springs?convention=\(id)&\(query.joined(separator: "&"))")
            #expect(other.status == 200, "\(other.text)")
            #expect(abs(other.number("spring/dampingRatio")! - 0.7) < 1e-9, "\(id)")
            #expect(abs(other.number("spring/response")! - 0.5) < 1e-9, "\(id)")
            #expect((convention["snippet"] as? String)?.isEmpty == false)
            // react-spring and Svelte take exact parameters and draw them in steps.
            let distance = try #require(convention["maxDistance"] as? Double)
            let expected = id.hasPrefix("reactspring.") ? 0.006...0.02 : id == "svelte" ? 0.02...0.1 : 0...0
            #expect(expected ~= distance, "\(id) \(distance)")
        }
    }

    @Test("a settling time and an overshoot are those of the answer")
    func settling() throws {
        let service = try Service()
        let answer = service.get("/v1/springs?settlingDuration=0.5&overshoot=0.1")
        #expect(answer.json["convention"] as? String == "settling")
        #expect(abs(try #require(answer.number("settling/settlingTime")) - 0.5) < 1e-12)
        #expect(abs(try #require(answer.number("overshoot")) - 0.1) < 1e-12)
        // The measure of Remotion is in its frames.
        let slow = service.get("/v1/springs?settlingDuration=0.5&overshoot=0&fps=10")
        #expect(slow.number("spring/dampingRatio") == 1)
        #expect(slow.number("settling/platforms/remotion") == 0.5)
    }

    @Test("the steps of react-spring depend on the frames of a second")
    func frames() throws {
        let service = try Service()
        func distance(_ query: String) throws -> Double? {
            let spring = "convention=reactspring.tensionFriction&tension=170&friction=26"
            let answer = service.get("/v1/springs?\(spring)\(query)")
            let conventions = answer.json["conventions"] as? [String: [String: Any]]
            return conventions?["reactspring.tensionFriction"]?["maxDistance"] as? Double
        }
        #expect(abs(try #require(try distance("")) - 0.014) < 0.0015)
        #expect(try distance("&fps=60") == distance(""))
        #expect(abs(try #require(try distance("&fps=120")) - 0.0446) < 0.0015)
        #expect(abs(try #require(try distance("&fps=1000")) - 0.0041) < 0.0005)
        #expect(service.get("/v1/springs?dampingRatio=1&response=1&fps=0").status == 422)
    }

    /// Queries, and the thresholds of distance and speed that they lead to, as shares of the travel.
    static let thresholds: [(query: String, platform: String, distance: Double, speed: Double)] = [
        ("travel=300", "android", 0.0025, 0.15625),
        ("property=scale", "android", 0.0015, 0.09375),
        ("property=alpha", "android", 0.0029296875, 0.18310546875),
        ("travel=75&property=rotation", "android", 0.001, 0.0625),
        ("travel=400", "flutter", 2.5e-6, 2.5e-6),
        ("travel=400", "reactNative", 2.5e-6, 2.5e-6),
    ]

    /// 0.75 of the smallest visible change of DynamicAnimation.java, and the thresholds of the other platforms.
    @Test("settling times are those of a travel and its property", arguments: thresholds)
    func travel(query: String, platform: String, distance: Double, speed: Double) throws {
        let curve = SpringCurve(try Spring(dampingRatio: 0.7, response: 0.5))
        let answer = try Service().get("/v1/springs?dampingRatio=0.7&response=0.5&fps=120&\(query)")
        let frame = (0..<1000).first { frame in
            let state = curve.state(at: Double(frame) / 120)
            return abs(1 - state.position) <= distance && abs(state.velocity) <= speed
        }
        let expected = Double(try #require(frame)) / 120
        #expect(abs(try #require(answer.number("settling/platforms/\(platform)")) - expected) < 1e-12)
    }

    @Test("Motion's and Compose's thresholds follow the travel, too, and Android's are for 300 points without one")
    func otherTravels() throws {
        let service = try Service()
        func time(_ platform: String, _ query: String) throws -> Double? {
            let answer = service.get("/v1/springs?dampingRatio=0.7&response=0.5\(query)")
            return answer.number("settling/platforms/\(platform)")
        }
        #expect(try time("android", "") == time("android", "&travel=300"))
        #expect(try time("motion50ms", "") == time("motion50ms", "&travel=1"))
        #expect(try time("motion50ms", "&travel=100") == time("motion50ms", ""))
        #expect(try #require(try time("motion50ms", "&travel=1000")) > 0.7)
        // From a travel of 5 on, the thresholds are wider.
        let (below, from) = (try time("motion50ms", "&travel=4.99"), try time("motion50ms", "&travel=5"))
        #expect(try #require(below) > #require(from) + 0.2)
        // ln(1000 √(1 + (γ/r)²)) / γ in whole milliseconds: within 0.1 dp of 100.
        #expect(try time("compose", "&travel=100") == 0.823)
        // Within a hundredth of 100 if it is no position.
        let curve = SpringCurve(try Spring(dampingRatio: 0.7, response: 0.5))
        let late = (try #require(curve.envelopeTime(epsilon: 0.0001)) * 1000).rounded(.down) / 1000
        #expect(try time("compose", "&travel=100&property=scale") == late)
        #expect(service.get("/v1/springs?dampingRatio=1&response=1&property=colour").status == 422)
    }

    @Test("the answer for an undamped spring contains nulls")
    func undamped() throws {
        let answer = try Service().get("/v1/springs?dampingRatio=0&response=0.5")
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""settlingTime":null,"envelope":null"#))
        #expect(answer.number("overshoot") == 1)
    }

    @Test("a capped damping in the request causes a warning")
    func capped() throws {
        let answer = try Service().get("/v1/springs?convention=swiftui.physical&stiffness=100&damping=30")
        #expect(answer.number("spring/dampingRatio") == 1)
        #expect((answer.json["warnings"] as? [[String: Any]])?.first?["code"] as? String == "dampingCapped")
    }

    @Test("Remotion's clamping is in its parameters, its code and what it draws, and in no other convention")
    func clamping() throws {
        let query = "convention=remotion&stiffness=100&damping=4&overshootClamping=true"
        let answer = try Service().get("/v1/springs?\(query)")
        let overshoot = try #require(answer.number("overshoot"))
        let conventions = try #require(answer.member("conventions") as? [String: [String: Any]])
        let remotion = try #require(conventions["remotion"])
        #expect((remotion["parameters"] as? [String: Any])?["overshootClamping"] as? Bool == true)
        #expect((remotion["snippet"] as? String)?.contains("overshootClamping: true") == true)
        #expect((remotion["drawn"] as? [String: Any])?["reason"] as? String == "overshootClamped")
        #expect(try abs(#require(remotion["maxDistance"] as? Double) - overshoot) < 1e-9 && overshoot > 0.4)
        let warnings = try #require(answer.member("warnings") as? [[String: Any]])
        #expect(warnings.map { $0["code"] as? String } == ["overshootClamped"])
        #expect(try abs(#require(warnings[0]["maxDistance"] as? Double) - overshoot) < 1e-9)
        #expect(conventions.values.filter { "\($0)".contains("lamp") }.count == 1)
    }

    @Test("equivalent queries have equal bytes, and each spelling is kept")
    func caching() throws {
        let service = try Service()
        let first = service.get("/v1/springs?dampingRatio=0.5&response=1")
        let other = service.get("/v1/springs?response=1e0&damping=0.50")
        #expect(first.bytes == other.bytes)
        #expect(first.status == 200 && first.fields[.eTag] == other.fields[.eTag])
        // Two spellings, each charged with the full size.
        let usage = service.motion.usage.answers
        #expect(usage.entries == 2 && usage.misses == 2 && usage.hits == 0)
        let again = service.get("/v1/springs?dampingRatio=0.5&response=1")
        #expect(again.bytes == first.bytes)
        #expect(service.motion.usage.answers.entries == 2)
        #expect(service.motion.usage.answers.hits == 1 && service.motion.usage.answers.misses == 2)
    }

    @Test("the cache stays within its limit for any requests")
    func bounded() throws {
        let service = try Service(motion: MotionHandlers(cacheBytes: 200_000))
        for index in 1...200 {
            _ = service.get("/v1/springs?dampingRatio=0.5&response=\(Double(index) / 100)")
            #expect(service.motion.usage.answers.bytes <= 200_000)
        }
        #expect(service.motion.usage.answers.entries > 5)
    }
}

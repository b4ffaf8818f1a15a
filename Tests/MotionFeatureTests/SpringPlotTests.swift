import Foundation
import HTTPExchange
import HTTPTypes
import Motion
import MotionFeature
import ServiceHarness
import Testing

@Suite("GET /v1/springs/plot.svg, at the ends of the range")
struct SpringPlotTests {
    /// The elements of a plot.
    struct Picture {
        let text: String

        init(_ query: String) throws {
            let answer = try Service().get("/v1/springs/plot.svg?\(query)")
            try #require(answer.status == 200, "\(answer.text)")
            text = answer.text
        }

        /// The labels of the time axis in seconds, with their positions.
        var ticks: [(x: Double, seconds: Double)] {
            text.matches(of: /x="([0-9.]+)" y="334" text-anchor="middle">([0-9.]+) s</)
                .map { (Double($0.1)!, Double($0.2)!) }
        }

        /// Returns the points of a curve.
        func points(_ name: String) -> [(x: Double, y: Double)] {
            guard let path = text.firstMatch(of: try! Regex("class=\"line \(name)\" d=\"M([^\"]*)\"")) else {
                return []
            }
            return path[1].substring!.split(separator: "L").map { point in
                let numbers = point.split(separator: " ").map { Double($0)! }
                return (numbers[0], numbers[1])
            }
        }

        /// Returns the circle of a peak.
        func dot(_ name: String) -> (x: Double, y: Double)? {
            let circle = text.firstMatch(of: try! Regex("class=\"dot \(name)\" cx=\"([^\"]*)\" cy=\"([^\"]*)\""))
            return circle.map { (Double($0[1].substring!)!, Double($0[2].substring!)!) }
        }
    }

    @Test(
        "labels are at their times, from 63 µs to an hour and a year",
        arguments: [
            "dampingRatio=0.8&response=0.001", "dampingRatio=1&response=6.3e-5", "dampingRatio=0.8&response=0.3",
            "dampingRatio=1&response=60", "stiffness=1e-8&dampingRatio=0.5", "dampingRatio=1e-5&response=8",
            "stiffness=1e10&dampingRatio=0", "dampingRatio=0.8&response=0.0123", "dampingRatio=0.31&response=0.05",
        ]
    )
    func ticks(query: String) throws {
        let picture = try Picture(query)
        let ticks = picture.ticks
        try #require((2...11).contains(ticks.count), "\(picture.text)")
        #expect(ticks[0].seconds == 0 && abs(ticks[0].x - 56) < 0.06)
        let step = ticks[1].seconds
        #expect(step > 0)
        for (index, tick) in ticks.enumerated() {
            #expect(abs(tick.seconds - Double(index) * step) <= 1e-9 * tick.seconds)
            // The axis is linear, to the printed tenth of a point.
            let x = 56 + (ticks[1].x - 56) * Double(index)
            #expect(abs(tick.x - x) <= 0.06 * Double(index + 1), "\(tick)")
        }
    }

    @Test("half a millisecond has its own label")
    func halfMillisecond() throws {
        let ticks = try Picture("dampingRatio=0.3&response=0.001").ticks
        #expect(ticks.contains { $0.seconds == 0.0005 } || ticks.contains { $0.seconds == 0.001 })
        let fine = try Picture("dampingRatio=1&response=0.001").ticks
        #expect(fine.map(\.seconds).contains(0.0004), "\(fine)")
    }

    @Test(
        "marks and curves stay inside the axes",
        arguments: [
            "dampingRatio=0.3&response=0.05&b.dampingRatio=1&b.response=10",
            "dampingRatio=0.05&response=0.05&b.dampingRatio=1&b.response=10",
            "dampingRatio=1&response=10&b.dampingRatio=0.2&b.response=0.001&b.initialVelocity=1000",
            "dampingRatio=0.5&response=0.4&initialVelocity=1e6", "dampingRatio=0.5&response=0.4&initialVelocity=-1e6",
            "dampingRatio=0.01&response=1", "dampingRatio=0&response=60", "dampingRatio=1e-4&response=0.01",
        ]
    )
    func inside(query: String) throws {
        let picture = try Picture(query)
        for name in ["a", "b"] {
            for point in picture.points(name) + [picture.dot(name)].compactMap({ $0 }) {
                #expect((56...616).contains(point.x) && (40...312).contains(point.y), "\(name) \(point)")
            }
        }
        #expect(picture.dot("a") != nil || picture.dot("b") != nil)
        #expect(!picture.text.contains("nan") && !picture.text.contains("inf"))
    }

    @Test("a curve includes its peak, even between two points")
    func peak() throws {
        let picture = try Picture("dampingRatio=0.3&response=0.05&b.dampingRatio=1&b.response=10")
        let dot = try #require(picture.dot("a"))
        let highest = try #require(picture.points("a").map(\.y).min())
        #expect(abs(highest - dot.y) <= 0.6)
    }

    @Test(
        "a curve that oscillates faster than the points fills the area between its envelopes",
        arguments: [(0.01, 1.0), (0.001, 0.1), (1e-4, 0.01), (1e-6, 0.001)]
    )
    func envelope(ratio: Double, response: Double) throws {
        let picture = try Picture("dampingRatio=\(ratio)&response=\(response)")
        let points = picture.points("a")
        #expect(points.count <= 1201)
        let target = try #require(points.last?.y)
        let spring = try Spring(dampingRatio: ratio, response: response)
        let settled = try #require(SpringCurve(spring).settlingTime(epsilon: 0.001)) * 1.08
        let swing = points.map { abs($0.y - target) }.max()!
        // Both sides of the filled area follow the envelope e^(-γt) along the whole axis.
        for share in stride(from: 0.02, to: 0.3, by: 0.02) {
            let x = 56 + 560 * share
            let near = points.filter { abs($0.x - x) <= 4 }.map { ($0.y - target) / swing }
            let expected = exp(-spring.decayRate * settled * share)
            #expect(abs(near.max()! - expected) < 0.08, "\(share)")
            #expect(abs(near.min()! + expected) < 0.08, "\(share)")
        }
    }

    @Test("texts have only significant digits")
    func texts() throws {
        let short = try Picture("dampingRatio=1&response=6.3e-5").text
        #expect(short.contains("response 0.000063 s") && !short.contains("0.0 s") && !short.contains("response 0 s"))
        #expect(short.contains("is at rest after 0.0000926 s"))
        let long = try Picture("stiffness=1e-8&dampingRatio=1").text
        #expect(long.contains("response 62831.853 s"))
        let damped = try Picture("dampingRatio=0.0000123456&response=0.5").text
        #expect(damped.contains("ζ 0.0000123,"))
    }
}

@Suite("GET /v1/springs/plot.png")
struct SpringPictureTests {
    @Test(
        "the picture is a PNG of the documented size, for every kind of spring",
        arguments: [
            "dampingRatio=0.8&response=0.3", "dampingRatio=0&response=60", "dampingRatio=0.001&response=0.01",
            "dampingRatio=100&response=60&initialVelocity=1000",
            "dampingRatio=0.5&response=0.4&b.dampingRatio=2&b.response=1",
        ]
    )
    func size(query: String) throws {
        let answer = try Service().get("/v1/springs/plot.png?\(query)")
        #expect(answer.status == 200 && answer.fields[.contentType] == "image/png")
        #expect(answer.fields[.eTag] != nil)
        let bytes = Array(answer.bytes.prefix(24))
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(bytes[16...] == [0, 0, 0x04, 0xB0, 0, 0, 0x02, 0xA3])
        #expect(answer.bytes.count < 200_000)
    }

    @Test("the plot and the picture of one spring are different answers")
    func formats() throws {
        let service = try Service()
        let query = "dampingRatio=0.8&response=0.3"
        let plot = service.get("/v1/springs/plot.svg?\(query)")
        let picture = service.get("/v1/springs/plot.png?\(query)")
        #expect(plot.text.hasPrefix("<svg") && plot.fields[.eTag] != picture.fields[.eTag])
    }
}

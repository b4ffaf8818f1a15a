import BarFeature
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Bars and extreme numbers", .onEveryStore)
struct BarExtremesTests {
    @Test(
        "the snapshot that a bar has is accepted by a creation, at the limits of its numbers, too",
        arguments: [1e12, -1e12]
    )
    func snapshots(limit: Double) throws {
        let api = try Service()
        let point = "{\"x\":\(limit),\"y\":\(limit)}"
        let more =
            #""feedback":"applied","options":{"fixes":["baseInset"],"resistance":{"dimension":1e9,"constant":1}}"#
        func create(_ snapshot: String) -> Response {
            api.post("/v1/bars", "{\(Bodies.configuration),\"snapshot\":\(snapshot),\(more)}")
        }
        let created = create(
            """
            {"offset":\(limit),"isExpandedStateAvailable":false,"scrollable":{"id":"a","contentOffset":\(point),\
            "contentSize":{"width":0,"height":0},"frame":{"x":0,"y":0,"width":1e9,"height":1e9},\
            "contentInset":{"top":\(limit),"left":0,"bottom":\(limit),"right":0}},"previousContentOffset":\(point),\
            "baseInsetBottom":\(limit)}
            """
        )
        let path = try #require(created.fields[.location], "\(created.text)")
        let events = [
            #"{"type":"contentSize","contentSize":{"width":1,"height":1}}"#, Bodies.offset(-1e9), Bodies.offset(1e9),
            #"{"type":"expand","on":true}"#, Bodies.offset(-1e9),
        ]
        for event in events {
            #expect(api.post(path + "/events", event).status == 200)
            let text = api.get(path).text
            let snapshot = try #require(text.firstMatch(of: #/"snapshot":(\{.*\}),"commands"/#)?.1)
            let copy = create(String(snapshot))
            #expect(copy.status == 201, "\(copy.text)")
            let read = copy.fields[.location].map { api.get($0).text } ?? ""
            #expect(read.contains(snapshot))
        }
    }
}

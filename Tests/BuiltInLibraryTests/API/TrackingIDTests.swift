import Foundation
import Testing

@testable import BuiltInLibrary

@Suite("Tracking ids")
struct TrackingIDTests {
    private func decoded(_ ixid: String) throws -> String {
        var text = ixid.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        return String(decoding: try #require(Data(base64Encoded: text)), as: UTF8.self)
    }

    /// The example decoded in research/photos.md, section 1.
    @Test("the ixid of a search has its words, the position and the time")
    func search() throws {
        var tracking = TrackingID(application: 780_492, feed: "search", position: 1, time: 1_752_952_109)
        tracking.searchText = "shoes"
        #expect(try decoded(tracking.text) == "3|780492|0|1|search|1||shoes|en|0||||1752952109|0")
    }

    @Test("text of any length and script has Base64 without padding, and a vertical bar in it is replaced")
    func scripts() throws {
        for text in ["a", "ab", "abc", "山と霧", "x|y", "🏔️", "??>>"] {
            let tracking = TrackingID(application: 1, feed: "search", position: 12, searchText: text, time: 5)
            let ixid = tracking.text
            #expect(ixid.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
            let fields = try decoded(ixid).split(separator: "|", omittingEmptySubsequences: false)
            #expect(fields.count == 15)
            #expect(fields[7] == text.replacingOccurrences(of: "|", with: " "))
        }
    }
}

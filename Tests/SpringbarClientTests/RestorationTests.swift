import BarLayout
import Testing

@testable import SpringbarClient

@Suite("Restoration of a bar")
struct RestorationTests {
    @Test("A new session has the same bar, apart from the exceptions in docs/clients.md")
    func restores() throws {
        var count = 0
        for seed in 1...1000 as ClosedRange<UInt64> {
            var source = RandomBar(seed: seed)
            let definition = try source.definition()
            var bar = definition.attached().session
            for _ in 0..<30 { _ = try? bar.apply(try source.event(), rules: .fluid) }

            let restoration = try Restoration(of: bar, ttlSeconds: nil)
            var restored = restoration.definition.attached().session
            for event in restoration.events { _ = try restored.apply(event, rules: .fluid) }

            // A stretched bar, a bar that is open without permission, and an offset that was observed with the
            // attachment and has moved since.
            let (state, heights) = (bar.state, bar.configuration)
            let isOpen = state.height > heights.normalStateHeight
            if state.height > heights.expandedStateHeight || isOpen && !state.isExpandedStateAvailable { continue }
            if bar.options.fixes.contains(.primeOnAttach) { continue }
            #expect(abs(restored.state.height - state.height) < 1e-9, "seed \(seed)")
            #expect(restored.state.isExpandedStateAvailable == state.isExpandedStateAvailable, "seed \(seed)")
            #expect(restored.scrollable.id == bar.scrollable.id, "seed \(seed)")
            let (before, after) = (bar.scrollable.geometry, restored.scrollable.geometry)
            #expect(after.contentSize == before.contentSize && after.frame == before.frame, "seed \(seed)")
            if bar.snapshot.previousContentOffset != nil {
                #expect(after.contentOffset == before.contentOffset, "seed \(seed)")
            }
            count += 1
        }
        #expect(count > 500)
    }
}

import BarLayout
import TestSupport
import Testing

// Compares each repair with its flaw. The numbers of a flaw are from the golden case of the same name.

@Suite("Repairs of AirBar's flaws")
struct FixTests {
    @Test("each repair has a bit of its own, and all of them are all")
    func bits() {
        let bits = BarOptions.Fixes.names.map(\.value.rawValue)
        #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 })
        #expect(Set(bits).count == bits.count)
        #expect(bits.reduce(0, |) == BarOptions.Fixes.all.rawValue)
    }

    @Test("primeOnAttach: the first move after an attachment counts (offset.firstIsSwallowed)")
    func primeOnAttach() throws {
        for feedback in [Feedback.applied, .echoed] {
            var plain = BarSession.over(try .view(y: 500), feedback: feedback)
            var fixed = BarSession.over(
                try .view(y: 500),
                feedback: feedback,
                options: BarOptions(fixes: .primeOnAttach)
            )
            try plain.scroll(to: 530)
            try fixed.scroll(to: 530)
            #expect(plain.state.height == 200)
            #expect(fixed.state.height == 170)
        }
    }

    @Test("primeOnAttach: the move that the attachment commanded does not move the bar")
    func primeOnAttachEcho() throws {
        var session = BarSession.over(
            try .view(y: 500),
            feedback: .echoed,
            options: BarOptions(fixes: .primeOnAttach)
        )
        try session.scroll(to: 600)
        #expect(session.state.height == 100)
        try session.act(.set(.view("b", y: 0)))
        try session.scroll(to: -100)
        #expect(session.state.height == 100)
    }

    @Test("overscroll: a bounce at the top does not move the bar (top.bothAboveWhileNotAtMaximum)")
    func overscrollTop() throws {
        func height(_ fixes: BarOptions.Fixes) throws -> Double {
            var session = BarSession.over(try .view(y: -200), options: BarOptions(fixes: fixes))
            try session.scroll(to: -200)
            try session.act(.expand(true))
            try session.act(.expand(false))
            try session.scroll(to: -230, -240, -230, -210, -200)
            return session.state.height
        }
        #expect(try height([]) == 300)
        #expect(try height(.overscroll) == 200)
    }

    @Test("overscroll: expand events still open and close the bar", arguments: [Feedback.applied, .echoed])
    func overscrollExpand(feedback: Feedback) throws {
        let options = BarOptions(fixes: [.overscroll, .clearExpandedOnCollapse])
        var session = BarSession.over(try .view(y: -200), feedback: feedback, options: options)
        try session.scroll(to: -200)
        try session.act(.expand(true))
        try session.scroll(to: -300)
        #expect(session.state.height == 300)
        try session.act(.expand(false))
        try session.scroll(to: -200)
        #expect(session.state.height == 200)
    }

    @Test("overscroll: a bounce at the end does not move the bar (bottom.bounceCollapses)")
    func overscrollBottom() throws {
        func height(_ fixes: BarOptions.Fixes) throws -> Double {
            var session = BarSession.over(try .view(y: 1380), options: BarOptions(fixes: fixes))
            try session.scroll(to: 1380, 1430, 1420, 1405)
            return session.state.height
        }
        #expect(try height([]) == 125)
        #expect(try height(.overscroll) == 180)
    }

    @Test("clearExpandedOnCollapse: after a collapse the bar may not expand (expand.onOff)")
    func clearExpandedOnCollapse() throws {
        for fixes in [BarOptions.Fixes(), .clearExpandedOnCollapse] {
            var session = BarSession.over(try .view(y: -200), options: BarOptions(fixes: fixes))
            try session.act(.expand(true))
            #expect(session.state.height == 300)
            try session.act(.expand(false))
            #expect(session.state.height == 200)
            #expect(session.state.isExpandedStateAvailable == fixes.isEmpty)
        }
    }

    @Test("contentSizeRatchet: content that grows does not open the bar (contentSize.ratchetsNearTop)")
    func ratchet() throws {
        func heights(_ fixes: BarOptions.Fixes) throws -> [Double] {
            var session = BarSession.over(try .view(y: -200), options: BarOptions(fixes: fixes))
            try session.scroll(to: -200, -50)
            return try [2500.0, 3000, 3500].map { height in
                try session.act(.contentSize(Size(width: 375, height: height)))
                return session.state.height
            }
        }
        #expect(try heights([]) == [150, 200, 200])
        #expect(try heights(.contentSizeRatchet) == [100, 100, 100])
    }

    @Test("baseInset: the client's bottom inset counts towards the room of the bar (initial.clobbersClientInsets)")
    func baseInset() throws {
        func bottom(_ fixes: BarOptions.Fixes, contentHeight: Double) throws -> Double {
            let view = try Scrollable.view(y: 0, contentHeight: contentHeight, bottom: 83)
            let session = BarSession.over(view, options: BarOptions(fixes: fixes))
            return session.scrollable.geometry.contentInset.bottom
        }
        #expect(try bottom([], contentHeight: 2000) == 0)
        #expect(try bottom(.baseInset, contentHeight: 2000) == 83)
        #expect(try bottom([], contentHeight: 400) == 100)
        #expect(try bottom(.baseInset, contentHeight: 400) == 100)
        #expect(try bottom(.baseInset, contentHeight: 430) == 83)
    }

    @Test("baseInset: the client may change its bottom inset")
    func baseInsetChanges() throws {
        let options = BarOptions(fixes: .baseInset)
        var session = BarSession.over(try .view(y: 0, contentHeight: 400, bottom: 83), options: options)
        try session.act(.contentInset(EdgeInsets(top: 200, left: 0, bottom: 300, right: 0)))
        try session.act(.contentSize(Size(width: 375, height: 450)))
        #expect(session.scrollable.geometry.contentInset.bottom == 300)
        try session.act(.contentInset(EdgeInsets(top: 200, left: 0, bottom: 83, right: 0)))
        try session.act(.contentSize(Size(width: 375, height: 400)))
        #expect(session.scrollable.geometry.contentInset.bottom == 100)
        try session.act(.contentSize(Size(width: 375, height: 2000)))
        #expect(session.scrollable.geometry.contentInset.bottom == 83)
    }

    @Test("baseInset: the inset of a refresh control stays until the client removes it")
    func refreshControl() throws {
        for (fixes, top) in [(BarOptions.Fixes.all, 260.0), ([], 200)] {
            var session = BarSession.over(try .view(y: -200), options: BarOptions(fixes: fixes))
            var insetTop: Double { session.scrollable.geometry.contentInset.top }
            func inset(_ top: Double) throws -> BarEvent.Action {
                .contentInset(try EdgeInsets(top: top, left: 0, bottom: 0, right: 0))
            }
            try session.scroll(to: -200, -330)
            try session.act(inset(260))
            try session.scroll(to: -260)
            try session.act(.contentSize(Size(width: 375, height: 5200)))
            #expect(insetTop == top)
            #expect(session.scrollable.geometry.contentOffset.y == -top)
            try session.act(inset(200))
            try session.act(.contentSize(Size(width: 375, height: 5400)))
            #expect(insetTop == 200)
        }
    }

    @Test("a frame that grows alone makes room, and with baseInset one that shrinks takes it away")
    func frame() throws {
        for (fixes, rest) in [(BarOptions.Fixes.baseInset, 83.0), ([], 267)] {
            let view = try Scrollable.view(y: -200, contentHeight: 300, bottom: 83)
            var session = BarSession.over(view, options: BarOptions(fixes: fixes))
            for (height, bottom) in [(667.0, 267.0), (375, rest)] {
                try session.act(.frame(Rect(x: 0, y: 0, width: 375, height: height)))
                #expect(session.scrollable.geometry.contentInset.bottom == bottom)
            }
        }
    }
}

import Primitives
import Testing

@Suite("The queue of the worker")
struct WorkQueueTests {
    @Test("each work is started once, whoever asks, and all who asked are served")
    func joins() {
        var queue = WorkQueue<String, String>(limit: 2)
        #expect(queue.ask(for: "x", id: 1, "one") == .start)
        #expect(queue.ask(for: "x", id: 2, "two") == .joined)
        #expect(queue.running == 0)
        #expect(queue.begin("x") == true)
        #expect(queue.running == 1)
        #expect(queue.ask(for: "x", id: 3, "three") == .joined)
        #expect(queue.finish("x") == ["one", "two", "three"])
        #expect(queue.count == 0 && queue.running == 0)
        #expect(queue.ask(for: "x", id: 4, "four") == .start)
    }

    @Test("another work than the limit allows is refused; the same is not")
    func limit() {
        var queue = WorkQueue<String, String>(limit: 2)
        #expect(queue.ask(for: "x", id: 1, "") == .start)
        #expect(queue.ask(for: "y", id: 2, "") == .start)
        #expect(queue.ask(for: "z", id: 3, "") == .refused)
        #expect(queue.ask(for: "y", id: 4, "") == .joined)
        #expect(queue.refusals == 1)
        _ = queue.finish("x")
        #expect(queue.ask(for: "z", id: 5, "") == .start)
    }

    @Test("who leaves is not served, and work that nobody waits for is not begun")
    func leaving() {
        var queue = WorkQueue<String, String>(limit: 2)
        _ = queue.ask(for: "x", id: 1, "one")
        _ = queue.ask(for: "x", id: 2, "two")
        #expect(queue.leave(1) == "one")
        #expect(queue.leave(1) == nil)
        #expect(queue.begin("x") == true)
        #expect(queue.finish("x") == ["two"])
        #expect(queue.leave(2) == nil)
        _ = queue.ask(for: "y", id: 3, "three")
        #expect(queue.leave(3) == "three")
        #expect(queue.begin("y") == false)
        #expect(queue.count == 0)
    }

    @Test("running work without a caller can be abandoned, and a later caller starts it anew")
    func abandoning() {
        var queue = WorkQueue<String, String>(limit: 1)
        _ = queue.ask(for: "x", id: 1, "one")
        #expect(queue.begin("x") == true)
        #expect(queue.abandon("x") == false)
        #expect(queue.leave(1) == "one")
        #expect(queue.abandon("x") == true)
        #expect(queue.count == 0 && queue.running == 0)
        #expect(queue.ask(for: "x", id: 2, "two") == .start)
    }
}

import HTTPExchange
import Primitives
import Testing

@testable import MicroHTTPServer

struct ClientMemoryTests {
    private let budget = MemoryBudget(limit: 100_000)
    private let one = ClientKey("192.0.2.1")
    private let other = ClientKey("192.0.2.2")

    @Test("a client reserves at most half of the budget, and another one the rest")
    func share() {
        let memory = ClientMemory(budget)
        #expect(memory.reserve(50_000, for: one))
        #expect(!memory.reserve(1, for: one))
        #expect(!memory.fits(1, for: one))
        #expect(memory.fits(50_000, for: other) && memory.reserve(50_000, for: other))
        #expect(budget.bytes == 100_000)
        memory.release(50_000, of: one)
        #expect(memory.reserve(50_000, for: one))
    }

    @Test("a refused reservation changes nothing")
    func refused() {
        let memory = ClientMemory(budget)
        budget.charge(90_000)
        #expect(!memory.reserve(20_000, for: one))
        budget.release(90_000)
        #expect(memory.reserve(50_000, for: one))
    }

    @Test("a charge above the share affects only this client, until it is released")
    func overdrawn() {
        let memory = ClientMemory(budget)
        #expect(!memory.isOverdrawn(by: one))
        memory.charge(60_000, to: one)
        #expect(memory.isOverdrawn(by: one))
        #expect(!memory.isOverdrawn(by: other) && !memory.isOverdrawn(by: nil))
        memory.charge(1000, to: one)
        memory.release(60_000, of: one)
        #expect(!memory.isOverdrawn(by: one))
        memory.release(1000, of: one)
        #expect(budget.bytes == 0)
    }

    @Test("a peer without a share is limited only by the budget")
    func withoutShare() {
        let memory = ClientMemory(budget)
        #expect(memory.fits(100_000, for: nil) && memory.reserve(100_000, for: nil))
        #expect(!memory.reserve(1, for: nil))
        memory.charge(1, to: nil)
        #expect(memory.isOverdrawn(by: other))
    }

    @Test("after all charges are released in any order, nothing is charged")
    func balance() {
        var random = SystemRandomNumberGenerator()
        let memory = ClientMemory(budget)
        let clients = [one, other, nil]
        var held: [(ClientKey?, Int)] = []
        for _ in 0..<2000 {
            if Bool.random(using: &random), !held.isEmpty {
                let (client, count) = held.remove(at: .random(in: held.indices, using: &random))
                memory.release(count, of: client)
            } else {
                let client = clients[.random(in: 0..<3, using: &random)]
                let count = Int.random(in: 0...40_000, using: &random)
                if Bool.random(using: &random) {
                    memory.charge(count, to: client)
                    held.append((client, count))
                } else if memory.reserve(count, for: client) {
                    held.append((client, count))
                }
            }
            #expect(budget.bytes == held.reduce(0) { $0 + $1.1 })
        }
        for (client, count) in held { memory.release(count, of: client) }
        #expect(budget.bytes == 0 && clients.allSatisfy { !memory.isOverdrawn(by: $0) })
    }
}

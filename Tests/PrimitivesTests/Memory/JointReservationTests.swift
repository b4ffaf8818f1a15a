import Primitives
import TestSupport
import Testing

@Suite("Bytes with several readers")
struct JointReservationTests {
    private let budget = MemoryBudget(limit: 1600)
    private let one = ClientKey(bits: 1)
    private let other = ClientKey(bits: 2)

    private func account(_ client: ClientKey?) -> MemoryAccount { MemoryAccount(budget, client: client) }

    @Test("are reserved once for any number of readers, and released with the last one")
    func readers() throws {
        let bytes = JointReservation(bytes: 500)
        #expect(budget.bytes == 0)
        var leases = try (0..<4).map { try #require(bytes.lease(for: account($0 < 2 ? one : other))) }
        #expect(budget.bytes == 500)
        #expect(!budget.fits(301, for: one) && budget.fits(300, for: one), "the first reader pays")
        #expect(budget.fits(800, for: other))
        leases.removeFirst()
        #expect(!budget.fits(301, for: one))
        leases.removeFirst()
        #expect(budget.fits(800, for: one) && !budget.fits(301, for: other), "another reader pays")
        leases = []
        #expect(leases.isEmpty && budget.bytes == 0)
    }

    @Test("are refused to the first reader if they do not fit, and not to later ones")
    func refusal() throws {
        let bytes = JointReservation(bytes: 700)
        #expect(budget.reserve(200, for: one))
        #expect(bytes.lease(for: account(one)) == nil)
        let first = try #require(bytes.lease(for: account(other)))
        let second = try #require(bytes.lease(for: account(one)))
        withExtendedLifetime((first, second)) { #expect(budget.bytes == 900) }
    }

    @Test("change their size: a larger one may be refused")
    func resizing() throws {
        let bytes = JointReservation(bytes: 100)
        #expect(bytes.resize(to: 200) && budget.bytes == 0)
        let lease = try #require(bytes.lease(for: account(one)))
        #expect(budget.bytes == 200)
        #expect(bytes.resize(to: 800) && !bytes.resize(to: 801) && budget.bytes == 800)
        #expect(bytes.resize(to: 0) && budget.bytes == 0)
        withExtendedLifetime(lease) {}
    }

    // With a search among all clients it takes some minutes.
    @Test("take no longer for each of many clients", .timeLimit(.minutes(1)))
    func manyClients() throws {
        let bytes = JointReservation(bytes: 100)
        var leases = try (0..<40_000).map { try #require(bytes.lease(for: account(ClientKey(bits: UInt64($0))))) }
        leases = []
        #expect(leases.isEmpty && budget.bytes == 0)
    }

    @Test("are paid by one of their readers at any time", arguments: 0..<20)
    func anyOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let clients = [one, other, nil]
        let bytes = (1...4).map { JointReservation(bytes: 100 * $0) }
        var leases: [(Int, MemoryLease)] = []
        for _ in 0..<300 {
            if Bool.random(using: &random), !leases.isEmpty {
                leases.remove(at: .random(in: leases.indices, using: &random))
            } else {
                let index = Int.random(in: 0..<4, using: &random)
                let client = clients[.random(in: 0..<3, using: &random)]
                if let lease = bytes[index].lease(for: account(client)) { leases.append((index, lease)) }
            }
            #expect(budget.bytes == Set(leases.map(\.0)).reduce(0) { $0 + 100 * ($1 + 1) })
        }
        leases = []
        #expect(leases.isEmpty && budget.bytes == 0)
        #expect(budget.fits(800, for: one) && budget.fits(800, for: other))
    }
}

import SharedState
import Testing

@testable import SpringbarService

@Suite("The lease of a fetch")
struct FetchClaimTests {
    private let claim = FetchClaim(
        lease: SharedLease(SharedKey("p"), token: SharedVersion(high: 1, low: 2)),
        recordLife: .seconds(9)
    )
    private let other = SharedVersion(high: 3, low: 4)

    private func name(_ step: FetchClaim.Step) -> String {
        switch step {
        case .fetch: "fetch"
        case .wait: "wait"
        case .consider: "consider"
        }
    }

    @Test("a replica fetches with the lease, waits for that of another one, and considers a record")
    func steps() {
        #expect(name(claim.step(for: .created)) == "fetch")
        #expect(name(claim.step(for: .exists(claim.value))) == "fetch")
        #expect(name(claim.step(for: .exists(SharedValue(other)))) == "wait")
        #expect(name(claim.step(for: .exists(SharedValue(other, [1])))) == "consider")
    }

    @Test("a record lands only in place of the lease")
    func landing() {
        let record = SharedValue(SharedVersion(high: 9, low: 9), [1, 2])
        #expect(FetchClaim.landing(of: record, .done) == .landed)
        #expect(FetchClaim.landing(of: record, .conflict(record)) == .landed)
        #expect(FetchClaim.landing(of: record, .conflict(SharedValue(other))) == .lost)
        #expect(FetchClaim.landing(of: record, .conflict(SharedValue(other, [1, 2]))) == .lost)
        // Pages of a snapshot have one version on all replicas: this one is that of another replica.
        let sameVersion = SharedValue(record.version, [1, 3])
        #expect(FetchClaim.landing(of: record, .conflict(sameVersion)) == .lost)
        #expect(FetchClaim.landing(of: record, .missing) == .lost)
    }
}

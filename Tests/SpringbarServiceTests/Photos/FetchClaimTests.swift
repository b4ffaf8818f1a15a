import Testing

@testable import PhotoFeature
@testable import SpringbarService

@Suite("The claim of a fetch")
struct FetchClaimTests {
    private let claim = FetchClaim(high: 1, low: 2)

    private func name(_ step: FetchClaim.Step) -> String {
        switch step {
        case .fetch: "fetch"
        case .wait: "wait"
        case .consider: "consider"
        }
    }

    @Test("a replica fetches with the claim, waits for that of another one, and considers a record")
    func steps() {
        #expect(name(claim.step(for: nil)) == "fetch")
        #expect(name(claim.step(for: claim.bytes)) == "fetch")
        #expect(name(claim.step(for: FetchClaim(high: 1, low: 3).bytes)) == "wait")
        #expect(name(claim.step(for: [0])) == "wait")
        #expect(name(claim.step(for: [PhotoRecord.format])) == "consider")
        #expect(name(claim.step(for: [])) == "consider")
    }
}

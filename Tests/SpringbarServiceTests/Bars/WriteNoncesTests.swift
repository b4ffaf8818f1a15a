import Testing

@testable import BarFeature
@testable import SpringbarService

@Suite("The random numbers of writes")
struct WriteNoncesTests {
    @Test("differ, also from those of another replica")
    func differ() {
        let makers = [WriteNonces.maker(), WriteNonces.maker()]
        let numbers = (0..<10_000).flatMap { _ in makers.map { $0() } }
        #expect(Set(numbers).count == numbers.count)
        // Each bit is set in half of them: six standard deviations.
        for bit in 0..<64 {
            let count = numbers.count { $0 >> UInt64(bit) & 1 == 1 }
            #expect(abs(count - 10_000) < 6 * 71)
        }
    }

    @Test("are made by several tasks at one time")
    func concurrent() async {
        let make = WriteNonces.maker()
        let numbers = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 { group.addTask { (0..<1000).map { _ in make() } } }
            return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(numbers.count == 8000)
    }
}

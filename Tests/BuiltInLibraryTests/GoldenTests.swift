import HTTPExchange
import ServiceHarness
import Testing

@testable import BuiltInLibrary

/// The photos and their pictures are the same in every version.
///
/// Their texts, numbers and nulls have all shapes that the upstream has. The values are of the version in which the library
/// was a server of its own (27 November 2026).
@Suite("The bytes of the library")
struct GoldenTests {
    private let fixture = LibraryFixture()

    private func checksum(_ targets: [String]) async throws -> UInt64 {
        var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
        // FNV-1a, 64 bits.
        for target in targets {
            for byte in try await fixture.ask(target).bytes { checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return checksum
    }

    @Test("all lists and details have the same bytes")
    func documents() async throws {
        let pages = (1...30).map { "/photos?per_page=30&page=\($0)" }
        let details = fixture.library.photoIDs.prefix(30).map { "/photos/\($0)" }
        let others = ["/topics", "/search/photos?query=dune&order_by=latest", "/collections/1201/photos"]
        let checksum = try await checksum(pages + details + others)
        #expect(checksum == 4_008_339_335_047_807_052)
    }

    @Test("pictures of every subject have the same bytes")
    func pictures() async throws {
        let catalogue = fixture.library.catalogue
        let files = Subject.allCases.compactMap { subject in catalogue.photos.first { $0.subject == subject }?.file }
        let sizes = ["w=200", "w=300&h=300&fit=crop&dpr=2&q=20"]
        let checksum = try await checksum(files.flatMap { file in sizes.map { "/images/\(file)?\($0)" } })
        #expect(checksum == 932_137_762_489_852_806)
    }
}

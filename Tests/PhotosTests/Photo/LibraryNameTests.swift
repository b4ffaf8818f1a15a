import PhotoLibrary
import ServiceHarness
import Testing

@Suite("LibraryName")
struct LibraryNameTests {
    @Test(
        "ids and slugs are names, in any script",
        arguments: [
            "l_p4pay8CTM", "-hI5dX2ObAs", "7", "a-man-sitting-at-a-table-l_p4pay8CTM", "crêtes-de-montagne-2huVlwOs69M",
            "重なる山並み-2huVlwOs69M", "हरा-जंगल-abc", "ป่าเขียว-abc", "١٢٣", "፩፪፫", String(repeating: "a", count: 256),
            String(repeating: "山", count: 256),
        ]
    )
    func names(text: String) {
        #expect(LibraryName(text)?.text == text)
    }

    @Test(
        "text that could leave its segment, or is not a name of any library, is refused",
        arguments: [
            "", ".", "..", "a.b", "a/b", "..#x", "#", "a#b", "a?b", "a&b", "a%2Fb", "%2e%2e", "a b", " ", "a+b", "a:b",
            "a\\b", "a\"b", "a>b", "a<b", "a;b", "a,b", "a\u{0}b", "a\nb", "\u{7f}", "\u{85}", "a\u{202e}b",
            "\u{feff}a",
            "a\u{200d}b", "🦊", "a／b", "a．b", "\u{2024}\u{2024}", String(repeating: "a", count: 257),
            String(repeating: "山", count: 257), String(repeating: "a\u{301}", count: 129),
        ]
    )
    func refusals(text: String) {
        #expect(LibraryName(text) == nil)
    }
}

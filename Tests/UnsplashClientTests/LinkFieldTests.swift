import Testing
import UnsplashClient

@Suite("LinkField")
struct LinkFieldTests {
    @Test(
        "the next page is found in all forms of RFC 8288, and links of no list say nothing of pages",
        arguments: [
            ("<https://a/photos?page=2>; rel=\"next\"", true), ("<https://a>;rel=next", true),
            ("<https://a>; title=\"a, <b>; rel=x\"; REL=\"last NEXT\"", true), ("<https://a> ; rel = next ", true),
            ("<https://a/p?q=a,b;c&page=9>; rel=\"last\", <https://a/p?page=2>; rel=\"next\"", true),
            ("<https://a/p?x=rel=\"next\">; rel=\"prev\"", false), ("<https://a>; rel=\"first prev\"", false),
            ("<https://a>; rel=prev; rel=next", false), ("<https://a>; title=\"\\\"; rel=next\"", nil),
            ("<\u{301}a>; rel=\"next\"", true), ("<https://a>; rel=first", false), ("<https://a>; rel=LAST", false),
            ("<https://a>; rel=preconnect", nil), ("<https://a>; rel=preconnect, <https://b>; rel=prev", false),
            ("", nil), ("nonsense", nil), ("rel=next", nil), ("<", nil), (">", nil),
        ] as [(String, Bool?)]
    )
    func relation(field: String, hasNext: Bool?) {
        #expect(LinkField.hasNext(in: field) == hasNext)
    }
}

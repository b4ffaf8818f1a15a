import Testing
import UnsplashClient

@Suite("LinkField")
struct LinkFieldTests {
    @Test(
        "a relation is found in all forms of RFC 8288, and addresses may have commas and quotes",
        arguments: [
            ("<https://a/photos?page=2>; rel=\"next\"", true), ("<https://a>;rel=next", true),
            ("<https://a>; title=\"a, <b>; rel=x\"; REL=\"last NEXT\"", true), ("<https://a> ; rel = next ", true),
            ("<https://a/p?q=a,b;c&page=9>; rel=\"last\", <https://a/p?page=2>; rel=\"next\"", true),
            ("<https://a/p?x=rel=\"next\">; rel=\"prev\"", false), ("<https://a>; rel=\"first prev\"", false),
            ("<https://a>; rel=prev; rel=next", false), ("<https://a>; title=\"\\\"; rel=next\"", false),
            ("", false), ("nonsense", false), ("rel=next", false), ("<", false), (">", false),
            ("<\u{301}a>; rel=\"next\"", true),
        ]
    )
    func relation(field: String, hasNext: Bool) {
        #expect(LinkField.has("next", in: field) == hasNext)
    }
}

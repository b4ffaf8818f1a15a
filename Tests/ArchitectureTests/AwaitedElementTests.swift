import Foundation
import TestSupport
import Testing

/// Finds tuples and enumeration values with an element before an awaited one, such as `(index, try await read())`.
///
/// The optimiser of Swift 6.3.1 can lose the earlier element: `return (index, .success(try await read()))` in the
/// `do` of a closure returns the index of another memory. The service then ends at an index out of range, and only in a
/// release build. The mend is to await first: `let value = try await read(); return (index, value)`.
@Suite("Awaited elements")
struct AwaitedElementTests {
    @Test("An awaited value is not computed inside a tuple or an enumeration value")
    func elements() throws {
        let files = try Checkout.swiftFiles(below: "Sources")
        #expect(files.count > 300)
        for file in files {
            let found = Self.findings(try String(contentsOf: file, encoding: .utf8))
            #expect(found == [], "\(file.lastPathComponent): await before the tuple")
        }
    }

    @Test(
        "Every form is found",
        arguments: [
            "return (index, .success(try await engine.usage()))", "group.addTask { (index, await self.read(bar)) }",
            "group.addTask { .server(index, await server.ready()) }", "return (index,\n    try? await read())",
            "return (index: 1, value: await read())",
        ]
    )
    func forms(text: String) {
        #expect(Self.findings(text).count == 1, "\(text)")
    }

    @Test(
        "Other awaits are not reported",
        arguments: [
            "let (index, bar) = await group.next()", "finish(flight, .success(try await fetch(progress)))",
            "return .success(try await read())", "answer(request) { asked in try await page(asked) }",
        ]
    )
    func others(text: String) {
        #expect(Self.findings(text) == [], "\(text)")
    }

    private static func findings(_ text: String) -> [String] {
        // A parenthesis that does not follow a name, except that of a case.
        let element =
            #/
            (?: \breturn | \bin | [{=:,] ) \s* (?: \.\w+ )?
            \( [^(){}]+ , \s* (?: \w+: \s* )? (?: \.\w+\( )? (?: try\?? \s+ )? await\b
        /#
        return text.matches(of: element).map { String($0.output) }
    }
}

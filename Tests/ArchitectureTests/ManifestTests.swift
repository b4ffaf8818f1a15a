import TestSupport
import Testing

/// A manifest is one file, so the packages beside the service declare its modules again.
@Suite("Manifests of the packages beside the service")
struct ManifestTests {
    @Test(
        "A manifest declares modules, flags and packages as the service does",
        arguments: [("Fuzz/Package.swift", 11), ("Benchmarks/Package.swift", 5), ("Sanitizers/Package.swift", 8)]
    )
    func declarations(path: String, least: Int) throws {
        let other = try Manifest(path)
        let service = try Manifest("Package.swift")
        #expect(!service.flags.isEmpty && other.flags == service.flags)
        let shared = other.modules.filter { service.modules[$0.key] != nil }
        #expect(shared.count >= least)
        for (name, dependencies) in shared { #expect(dependencies == service.modules[name], "\(name)") }
        let packages = other.packages.filter { service.packages[$0.key] != nil }
        #expect(packages.count >= 2)
        for (url, requirement) in packages { #expect(requirement == service.packages[url], "\(url)") }
    }
}

/// The declarations of a manifest, without white space.
private struct Manifest {
    /// The flags of `strict`.
    let flags: [Substring]
    /// The dependencies of each `module`, by its name.
    let modules: [Substring: Substring]
    /// The requirement for each package, by its address.
    let packages: [Substring: Substring]

    init(_ path: String) throws {
        let lines = try Checkout.text(path).split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        let text = lines.filter { !$0.hasPrefix("//") }.joined().filter { !$0.isWhitespace }
        let strict = try #require(text.firstMatch(of: /letstrict:\[SwiftSetting\]=\[(.*?),\]/))
        flags = strict.1.split(separator: ",")
        let declared = text.matches(of: /[\[,]module\("(\w+)"(?:,\[([^\]]*)\])?,?\)/)
        modules = Dictionary(uniqueKeysWithValues: declared.map { ($0.1, $0.2 ?? "") })
        let required = text.matches(of: /\.package\(url:"([^"]*)",(.*?)\),/)
        packages = Dictionary(uniqueKeysWithValues: required.map { ($0.1, $0.2) })
    }
}

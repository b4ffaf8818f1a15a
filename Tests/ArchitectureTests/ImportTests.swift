import Foundation
import Testing

/// The house's walls (docs/architecture.md): what each target may import.
///
/// A line added here is a decision.
private let allowedImports: [String: Set<String>] = [
    "Primitives": ["Glibc", "Synchronization"],
    "JSON": ["Primitives", "CSimdJSON", "Synchronization"],
    "BarLayout": ["Primitives", "Synchronization"],
    "Motion": ["Primitives", "Glibc"],
    "PhotoFeed": ["Primitives", "Glibc", "Synchronization"],
    "HTTPExchange": ["Primitives", "JSON", "HTTPTypes", "Logging", "CoreMetrics", "Synchronization"],
    "MicroHTTPServer": [
        "Primitives", "HTTPExchange", "CMicroHTTPD", "HTTPTypes", "Logging", "ServiceLifecycle", "Synchronization",
        "Glibc",
    ],
    "UnsplashClient": ["Primitives", "PhotoFeed", "JSON", "CCurl", "Logging", "Synchronization", "Glibc"],
    "Sandbox": [
        "Primitives", "JSON", "HTTPExchange", "MicroHTTPServer", "CZlib", "HTTPTypes", "Logging", "Synchronization",
        "Glibc",
    ],
    "SpringbarService": [
        "Primitives", "BarLayout", "Motion", "PhotoFeed", "JSON", "HTTPExchange", "CAssets", "CZlib", "HTTPTypes",
        "Logging", "CoreMetrics", "ServiceLifecycle", "Synchronization", "Glibc",
    ],
    "springbar": [
        "Primitives", "SpringbarService", "HTTPExchange", "MicroHTTPServer", "PhotoFeed", "UnsplashClient", "Sandbox",
        "JSON", "HTTPTypes", "Logging", "CoreMetrics", "ServiceLifecycle", "UnixSignals", "ArgumentParser",
        "Synchronization", "Glibc", "Dispatch",
    ],
]

/// The C targets, which have no imports of ours.
private let cTargets: Set<String> = ["CMicroHTTPD", "CCurl", "CZlib", "CSimdJSON", "CAssets"]

@Suite("The walls of the house")
struct ImportTests {
    @Test("every target stands in the table")
    func everyTargetIsListed() throws {
        let folder = Checkout.directory.appendingPathComponent("Sources")
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(targets) == Set(allowedImports.keys).union(cTargets))
    }

    @Test("a target imports what it may and nothing else", arguments: allowedImports.keys.sorted())
    func importsStayInside(target: String) throws {
        let files = try Checkout.swiftFiles(below: "Sources/\(target)")
        #expect(!files.isEmpty)
        // The link to ThreadSanitizer's lock (Tests/Sanitizers) has code in no other build.
        for file in files where file.lastPathComponent != "SanitizedMutex.swift" {
            for module in try Imports.of(file) {
                #expect(
                    allowedImports[target]?.contains(module) == true,
                    "\(target)/\(file.lastPathComponent) imports \(module)"
                )
            }
        }
    }

    @Test("the reader of imports sees every form of them")
    func readerSeesEveryForm() {
        let text = """
            import A
            package import B
              @preconcurrency internal import C
            @testable import struct D.E
            import F.G // why
            // import H
            let text = "import I"
            """
        #expect(Imports.of(text: text) == ["A", "B", "C", "D", "F"])
    }

    @Test("a file of the domain that imports Foundation would be caught")
    func foundationIsNowhere() {
        #expect(allowedImports.values.allSatisfy { $0.isDisjoint(with: ["Foundation", "FoundationEssentials"]) })
    }
}

/// Reads import lines.
private enum Imports {
    static func of(_ file: URL) throws -> [String] {
        of(text: try String(contentsOf: file, encoding: .utf8))
    }

    /// The modules that a text imports, whatever stands before or behind the word.
    static func of(text: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "typealias", "let", "var", "actor"]
        let access: Set<Substring> = ["package", "public", "internal", "private", "fileprivate"]
        return text.split(separator: "\n").compactMap { line in
            var words = line.split(separator: " ")[...]
            while let first = words.first, access.contains(first) || first.hasPrefix("@") { words.removeFirst() }
            guard words.popFirst() == "import", var module = words.popFirst() else { return nil }
            if kinds.contains(module), let next = words.popFirst() { module = next }
            return String(module.prefix { $0 != "." })
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The modules that each target may import (docs/architecture.md).
///
/// A line added here is a design decision.
private let allowedImports: [String: Set<String>] = [
    "Primitives": ["CEpoll", "Dispatch", "Glibc", "Synchronization"],
    "JSON": ["Primitives", "Glibc"],
    "BarLayout": ["Motion"],
    "Motion": ["Primitives", "CMathematics"],
    // The client is linked to apps, and never to the service.
    "SpringbarClient": [
        "BarLayout", "Motion", "Foundation", "FoundationNetworking", "UIKit", "SwiftUI", "Combine",
    ],
    "SharedState": ["Primitives", "Synchronization"],
    "HTTPExchange": ["Primitives", "JSON", "HTTPTypes", "Logging", "Synchronization"],
    "PictureCoding": ["Primitives", "CZlib", "Glibc"],
    "MicroHTTPServer": [
        "Primitives", "HTTPExchange", "CMicroHTTPD", "HTTPTypes", "Logging", "Synchronization", "Glibc",
    ],
    "UnsplashClient": ["Primitives", "Photos", "JSON", "CCurl", "Logging", "Synchronization", "Glibc"],
    "RedisClient": [
        "Primitives", "SharedState", "CHiredis", "COpenSSL", "Logging", "Synchronization", "Glibc",
    ],
    "MessageAuthentication": ["COpenSSL"],
    "BuiltInLibrary": [
        "Primitives", "Photos", "JSON", "HTTPExchange", "PictureCoding", "HTTPTypes", "Synchronization", "Glibc",
    ],
    "BarFeature": [
        "Primitives", "BarLayout", "SharedState", "JSON", "HTTPExchange", "HTTPTypes", "Logging", "Synchronization",
        "Glibc",
    ],
    "MotionFeature": [
        "Primitives", "Motion", "JSON", "HTTPExchange", "PictureCoding", "HTTPTypes", "Synchronization", "Glibc",
    ],
    "Photos": [
        "Primitives", "SharedState", "JSON", "HTTPExchange", "PictureCoding", "HTTPTypes", "Logging",
        "Synchronization", "Glibc",
    ],
    "SpringbarService": [
        "Primitives", "BarFeature", "MotionFeature", "Photos", "Motion", "SharedState", "JSON",
        "HTTPExchange", "PictureCoding", "CAssets", "HTTPTypes", "Logging", "Synchronization",
        "Dispatch", "Glibc",
    ],
    "springbar": [
        "Primitives", "SpringbarService", "BarFeature", "MotionFeature", "Photos", "HTTPExchange",
        "MicroHTTPServer", "SharedState", "UnsplashClient", "BuiltInLibrary", "RedisClient", "MessageAuthentication",
        "JSON", "HTTPTypes", "Logging", "Synchronization", "Glibc", "Dispatch",
    ],
]

/// The C targets.
///
/// They import none of our modules.
private let cTargets: Set<String> = [
    "CMicroHTTPD", "CCurl", "CHiredis", "COpenSSL", "CZlib", "CEpoll", "CMathematics", "CAllocator", "CAssets",
]

@Suite("Imports of the targets")
struct ImportTests {
    @Test("Every target is in the table")
    func everyTargetIsListed() throws {
        let folder = Checkout.directory.appendingPathComponent("Sources")
        let targets = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(targets) == Set(allowedImports.keys).union(cTargets))
    }

    @Test("A target imports only modules that it may import", arguments: allowedImports.keys.sorted())
    func importsStayInside(target: String) throws {
        let files = try Checkout.swiftFiles(below: "Sources/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            for module in try Imports.of(file) {
                #expect(
                    allowedImports[target]?.contains(module) == true,
                    "\(target)/\(file.lastPathComponent) imports \(module)"
                )
            }
        }
    }

    /// `SharedStatus`, the state of the connection, is passed on by the protocol of the stores and by the service.
    @Test("Only the folders for replicas import the operations that replicas share")
    func replicasStayInTheirRooms() throws {
        let allowed: Set = [
            "Sources/BarFeature/Shared", "Sources/BarFeature/Store/BarStore.swift",
            "Sources/Photos/Shared", "Sources/Photos/PhotoService.swift",
            "Sources/SpringbarService/Operations", "Sources/springbar", "Sources/RedisClient", "Sources/SharedState",
        ]
        for file in try Checkout.swiftFiles(below: "Sources") where try Imports.of(file).contains("SharedState") {
            #expect(allowed.contains { file.path.contains("/\($0)") }, "\(file.path)")
        }
    }

    @Test("The reader of imports finds every form of them")
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

    @Test("No target of the service may import Foundation")
    func foundationIsInTheClientOnly() {
        let service = allowedImports.filter { $0.key != "SpringbarClient" }.values
        #expect(service.allSatisfy { $0.isDisjoint(with: ["Foundation", "FoundationEssentials", "SpringbarClient"]) })
    }
}

/// Reads the imports of Swift files.
private enum Imports {
    static func of(_ file: URL) throws -> [String] {
        of(text: try String(contentsOf: file, encoding: .utf8))
    }

    /// Returns the modules that a text imports, with any attributes and comments around the import.
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

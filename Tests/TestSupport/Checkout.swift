package import Foundation

/// The checkout that the tests were built from.
package enum Checkout {
    /// The top folder, also in a package that has the sources and tests as links.
    package static var directory: URL {
        var top = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<3 { top.deleteLastPathComponent() }
        return top
    }

    /// The name that SwiftPM gives the package: that of its folder, as an identifier.
    package static var packageName: String {
        String(directory.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// The folder of the built products: that of this executable.
    package static var products: URL {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: path ?? CommandLine.arguments[0]).deletingLastPathComponent()
    }

    /// The compiler's flags for the features that the manifest enables.
    package static let featureFlags = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"].flatMap {
        ["-enable-upcoming-feature", $0]
    }

    /// Returns the file or folder at `path`, relative to the top folder.
    package static func file(_ path: String) -> URL {
        directory.appendingPathComponent(path)
    }

    /// Returns the text of the file at `path`, relative to the top folder.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: file(path), encoding: .utf8)
    }

    /// Returns the contract of the service, `openapi.json`.
    package static func contract() throws -> [String: Any] {
        let data = try Data(contentsOf: file("Clients/openapi.json"))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// Returns a valid target of each path that `GET` reads with an operation of `tag`: the contract's example with the
    /// most parameters.
    package static func exampleTargets(tag: String) throws -> [String: String] {
        let paths = try contract()["paths"] as? [String: [String: Any]] ?? [:]
        return paths.compactMapValues { path in
            guard let get = path["get"] as? [String: Any], get["tags"] as? [String] == [tag],
                let success = (get["responses"] as? [String: [String: Any]])?["200"],
                let content = success["content"] as? [String: [String: [String: Any]]]
            else { return nil }
            let examples = content.values.flatMap { ($0["examples"] ?? [:]).values }
            let requests = examples.compactMap { ($0 as? [String: Any])?["x-request"] as? [String: Any] }
            let targets = requests.compactMap { $0["target"] as? String }
            return targets.max { ($0.count { $0 == "=" }, $0) < ($1.count { $0 == "=" }, $1) }
        }
    }

    /// Returns the Swift files below `path`.
    package static func swiftFiles(below path: String) throws -> [URL] {
        let folder = file(path)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appendingPathComponent($0) }
    }
}

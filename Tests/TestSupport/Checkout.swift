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

    /// Returns the Swift files below `path`.
    package static func swiftFiles(below path: String) throws -> [URL] {
        let folder = file(path)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appendingPathComponent($0) }
    }
}

import Foundation

/// The checkout that this test was built from.
enum Checkout {
    static var directory: URL {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { url.deleteLastPathComponent() }
        return url
    }

    /// Returns the text of the file at `path`, relative to the root of the checkout.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: directory.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns the Swift files below `path`.
    static func swiftFiles(below path: String) throws -> [URL] {
        let folder = directory.appendingPathComponent(path)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appendingPathComponent($0) }
    }
}

import Foundation
import TestSupport

/// Type-checks a module with the conversions to integers marked as deprecated.
enum ConversionCheck {
    enum Failure: Error {
        /// The compiler's errors for a module that does not compile.
        case unchecked(String)
    }

    /// Returns the compiler's warnings about unchecked conversions of floating-point numbers.
    static func findings(in files: [String], module: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shadow = folder.appendingPathComponent("Conversions.swift")
        try declarations.write(to: shadow, atomically: true, encoding: .utf8)
        let output = folder.appendingPathComponent("output")
        _ = FileManager.default.createFile(atPath: output.path, contents: nil)

        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-typecheck", "-wmo", "-module-name", module] + flags + [shadow.path] + files
        if !files.contains(where: { $0.hasSuffix("/main.swift") }) { process.arguments?.append("-parse-as-library") }
        // A file needs no reader while the compiler runs; a pipe would.
        process.standardError = try FileHandle(forWritingTo: output)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()

        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
        guard process.terminationStatus == 0 else {
            throw Failure.unchecked(lines.filter { $0.contains("error:") }.prefix(10).joined(separator: "\n"))
        }
        let marked = lines.filter {
            $0.hasPrefix("/") && $0.contains(mark) && !$0.contains("/\(checkedConversion):")
        }
        return Array(Set(marked)).sorted()
    }

    /// The file of the conversion that checks its argument.
    private static let checkedConversion = "Int+Clamping.swift"

    private static let mark = "unchecked conversion"

    private static let declarations: String = {
        let types = ["", "8", "16", "32", "64"].flatMap { ["Int\($0)", "UInt\($0)"] }
        let durations = ["seconds", "milliseconds", "microseconds"].map { unit in
            "@available(*, deprecated, message: \"\(mark)\")\n"
                + "static func \(unit)(_ value: Double) -> Duration { .zero }"
        }
        let duration = "extension Duration {\n\(durations.joined(separator: "\n"))\n}\n"
        return duration
            + types.map { type in
                let initializers = ["Double", "Float"].map { source in
                    "@available(*, deprecated, message: \"\(mark)\") public init(_ value: \(source)) { self = 0 }"
                }
                return "extension \(type) {\n\(initializers.joined(separator: "\n"))\n}\n"
            }.joined()
    }()

    /// The manifest's compiler flags, and the search paths of imported modules.
    private static let flags: [String] = {
        let sources = Checkout.directory.appendingPathComponent("Sources").path
        let products = Checkout.products.path
        var flags = ["-package-name", Checkout.packageName, "-swift-version", "6", "-I", "\(products)/Modules"]
        flags += Checkout.featureFlags
        for library in ["CMicroHTTPD", "CCurl", "CHiredis", "COpenSSL", "CZlib", "CEpoll", "CMathematics"] {
            flags += ["-I", "\(sources)/\(library)"]
        }
        flags += ["-Xcc", "-fmodule-map-file=\(products)/CAssets.build/module.modulemap"]
        flags += ["-Xcc", "-I\(sources)/CAssets/include"]
        return flags
    }()
}

import Foundation

/// Runs the compiler's type checker over a module, with the conversions to integers deprecated.
enum ConversionCheck {
    enum Failure: Error {
        /// What the compiler says about a module that it cannot check.
        case unchecked(String)
    }

    /// Where a module converts a floating-point number without a check, as the compiler words it.
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
        process.arguments = ["swiftc", "-typecheck", "-module-name", module] + flags + [shadow.path] + files
        if !files.contains(where: { $0.hasSuffix("/main.swift") }) { process.arguments?.append("-parse-as-library") }
        // A file and not a pipe, which would have to be read while the compiler writes.
        process.standardError = try FileHandle(forWritingTo: output)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()

        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
        guard process.terminationStatus == 0 else {
            throw Failure.unchecked(lines.filter { $0.contains("error:") }.prefix(10).joined(separator: "\n"))
        }
        let marked = lines.filter { $0.hasPrefix("/") && $0.contains(mark) }
        return Array(Set(marked)).sorted()
    }

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
                    "@available(*, deprecated, message: \"\(mark)\") init(_ value: \(source)) { self = 0 }"
                }
                return "extension \(type) {\n\(initializers.joined(separator: "\n"))\n}\n"
            }.joined()
    }()

    /// How the manifest has a module compiled, and where the modules are that it imports.
    private static let flags: [String] = {
        let sources = Checkout.directory.appendingPathComponent("Sources").path
        let products = FileManager.default.currentExecutable.deletingLastPathComponent().path
        // SwiftPM names the package after its folder.
        let package = Checkout.directory.lastPathComponent.lowercased()
        var flags = ["-package-name", package, "-swift-version", "6", "-I", "\(products)/Modules"]
        for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
            flags += ["-enable-upcoming-feature", feature]
        }
        for library in ["CMicroHTTPD", "CCurl", "CZlib"] { flags += ["-I", "\(sources)/\(library)"] }
        for target in ["CSimdJSON", "CAssets"] {
            flags += ["-Xcc", "-fmodule-map-file=\(products)/\(target).build/module.modulemap"]
            flags += ["-Xcc", "-I\(sources)/\(target)/include"]
        }
        return flags
    }()
}

extension FileManager {
    /// The file that this process runs.
    fileprivate var currentExecutable: URL {
        let path = (try? destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: path)
    }
}

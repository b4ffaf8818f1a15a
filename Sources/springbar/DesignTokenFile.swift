import Glibc
import JSON
import Logging
import MotionFeature
import SpringbarService

/// The file of design tokens, which is read at the start and after each SIGHUP.
struct DesignTokenFile {
    private let path: String
    private let current: CurrentDesignTokens

    /// - Throws: `ConfigurationFaults` for a fault of the file.
    init(_ path: String, for current: CurrentDesignTokens) throws(ConfigurationFaults) {
        (self.path, self.current) = (path, current)
        do throws(CommandFailure) {
            current.replace(with: try DesignTokenFile.read(path))
        } catch {
            throw ConfigurationFaults(faults: [DesignTokenFile.fault(error)])
        }
    }

    /// Returns the fault of a file; nil without one, and for a pipe, which can be read once.
    static func fault(of path: String) -> String? {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
        do throws(CommandFailure) {
            _ = try read(path)
            return nil
        } catch {
            return fault(error)
        }
    }

    private static func fault(_ failure: CommandFailure) -> String { "SPRINGBAR_DESIGN_TOKENS: \(failure.message)" }

    /// Reads the file again after each signal; a file with a fault is reported, and the last one stays in use.
    func follow(_ signals: AsyncStream<Void>, logger: Logger) async {
        for await _ in signals {
            do throws(CommandFailure) {
                current.replace(with: try DesignTokenFile.read(path))
                logger.notice("design tokens read", metadata: ["file": "\(path)"])
            } catch {
                logger.error("design tokens not read; the last ones stay", metadata: ["fault": "\(error.message)"])
            }
        }
    }

    /// Reads a file of design tokens.
    ///
    /// - Throws: `CommandFailure` with a message that names the file, and exit status 65 or 66.
    static func read(_ path: String) throws(CommandFailure) -> DesignTokens {
        guard let file = fopen(path, "r") else { throw unreadable(path) }
        defer { fclose(file) }
        // One byte more shows that the file is too large.
        var bytes = [UInt8](repeating: 0, count: DesignTokens.maxBytes + 1)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        guard ferror(file) == 0 else { throw unreadable(path) }
        do {
            return try DesignTokens(bytes)
        } catch {
            throw CommandFailure(status: 65, message: "\(path): \(error)")  // EX_DATAERR
        }
    }

    private static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(status: 66, message: "\(path): \(String(cString: strerror(errno)))")  // EX_NOINPUT
    }
}

/// `springbar design-tokens`: prints the source file of a platform for a file of design tokens.
enum DesignTokenCommand {
    static let help = "  --platform <value>           \(platforms)"
    private static let platforms = DesignTokens.Platform.allCases.map(\.rawValue).joined(separator: ", ")

    static func run(_ arguments: ArraySlice<String>) throws {
        guard let path = arguments.first, !path.hasPrefix("--") else {
            throw CommandFailure.usage("the file of design tokens is missing")
        }
        let flags = try CommandFlags(arguments.dropFirst(), names: ["--platform"])
        guard let platform = flags.values["--platform"].flatMap(DesignTokens.Platform.init) else {
            throw CommandFailure.usage("--platform must be one of \(platforms)")
        }
        let tokens = try DesignTokenFile.read(path)
        let source: String
        do {
            source = try tokens.source(for: platform)
        } catch {
            throw CommandFailure(status: 65, message: "\(path): \(error)")
        }
        try StandardOutput.print(source)
    }
}

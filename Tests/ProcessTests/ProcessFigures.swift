import Foundation
import Glibc
import TestSupport
import Testing

/// What the system says about a process (proc(5)), and what the service says about itself.
struct ProcessFigures {
    private let service: ServiceProcess

    init(_ service: ServiceProcess) {
        self.service = service
    }

    /// The resident set in bytes: `VmRSS` of `/proc/PID/status`.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(service.identifier)/status", encoding: .utf8)
        let kilobytes = try #require(text.firstMatch(of: /VmRSS:\s+([0-9]+) kB/).flatMap { Int($0.1) })
        return kilobytes * 1024
    }

    /// The number of open descriptors.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.identifier)/fd").count
    }

    /// A figure of `/metrics`, by its name with labels.
    func metric(_ name: String) throws -> Int {
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let text = try RawConnection(port: service.port).exchange(request).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "\(name)")
        return try #require(Double(line.dropFirst(name.utf8.count + 1)).flatMap { Int(exactly: $0) })
    }
}

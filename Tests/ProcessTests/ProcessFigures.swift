import Foundation
import TestSupport
import Testing

/// Figures of a process from proc(5), and the service's own metrics.
struct ProcessFigures {
    private let service: ServiceProcess

    init(_ service: ServiceProcess) {
        self.service = service
    }

    /// Returns the resident set size in bytes: `VmRSS` of `/proc/PID/status`.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(service.identifier)/status", encoding: .utf8)
        let kilobytes = try #require(text.firstMatch(of: /VmRSS:\s+([0-9]+) kB/).flatMap { Int($0.1) })
        return kilobytes * 1024
    }

    /// Returns the number of open descriptors.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.identifier)/fd").count
    }

    /// Returns a value of `/metrics`, by its name with labels; asks on an open connection if one is given.
    func metric(_ name: String, on connection: RawConnection? = nil) throws -> Int {
        let fields = connection == nil ? "Connection: close\r\n" : ""
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
        let text = try (connection ?? RawConnection(port: service.port)).exchange(request).text
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "\(name)")
        return try #require(Double(line.dropFirst(name.utf8.count + 1)).flatMap { Int(exactly: $0) })
    }
}

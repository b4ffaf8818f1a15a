import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("Libraries linked to the binary")
    struct LinkageTests {
        /// Returns the libraries that the dynamic section of the binary names (ELF: DT_NEEDED).
        private func libraries() throws -> [String] {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/readelf")
            process.arguments = ["--dynamic", "--wide", ServiceProcess.binary.path]
            process.standardOutput = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap { line in
                line.split(separator: "[").last.map { String($0.prefix { $0 != "]" }) }
            }
        }

        @Test("Full Foundation, which would add 51 MB to a binary of 22 MB, is not linked")
        func withoutFoundation() throws {
            let libraries = try libraries()
            #expect(libraries.contains { $0.hasPrefix("libmicrohttpd.so") }, "readelf printed no libraries")
            for name in ["libFoundation.so", "libFoundationNetworking.so", "lib_FoundationICU.so"] {
                #expect(!libraries.contains(name))
            }
        }
    }
}

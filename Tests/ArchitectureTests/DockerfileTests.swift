import Foundation
import Testing

/// Checks the text of the Dockerfile.
///
/// These tests do not build the image. Only a container engine can show that it runs with a read-only root, without
/// capabilities and with 256 MB.
@Suite("Dockerfile")
struct DockerfileTests {
    private let instructions: [Substring]
    private let final: ArraySlice<Substring>

    init() throws {
        let text = try Checkout.text("Dockerfile").replacingOccurrences(of: "\\\n", with: " ")
        instructions = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        final = instructions[(instructions.lastIndex { $0.hasPrefix("FROM") } ?? 0)...]
    }

    /// The arguments of `name` in the final stage.
    private func words(_ name: String) -> [[Substring]] {
        final.filter { $0.hasPrefix(name + " ") }.map { Array($0.split(separator: " ").dropFirst()) }
    }

    @Test("The image is built on Swift's image and runs on Debian slim")
    func stages() {
        let stages = instructions.filter { $0.hasPrefix("FROM") }
        #expect(stages == ["FROM swift:${SWIFT_VERSION}-bookworm AS build", "FROM debian:bookworm-slim"])
        #expect(instructions.contains("ARG SWIFT_VERSION=6.3"))
    }

    @Test("The binary is linked to Swift's standard library statically and is stripped")
    func build() {
        #expect(instructions.contains { $0.contains("--static-swift-stdlib") && $0.contains("strip") })
    }

    @Test("Dependencies are a layer of their own")
    func layers() throws {
        let resolve = try #require(instructions.firstIndex { $0 == "RUN swift package resolve" })
        let sources = try #require(instructions.firstIndex { $0.hasPrefix("COPY Sources") })
        #expect(instructions[resolve - 1] == "COPY Package.swift ./")
        #expect(resolve < sources)
    }

    @Test("The service listens on all addresses, port 8080")
    func listens() {
        #expect(words("ENV") == [["SPRINGBAR_HOST=0.0.0.0"]])
        #expect(words("EXPOSE") == [["8080"]])
    }

    @Test("Exactly the four packages that the binary needs are installed")
    func packages() throws {
        let run = try #require(words("RUN").first)
        let install = try #require(run.firstIndex(of: "install"))
        let packages = run[run.index(after: install)...].prefix { $0 != "&&" }.filter { !$0.hasPrefix("-") }
        #expect(Set(packages) == ["ca-certificates", "libcurl4", "libmicrohttpd12", "libsimdjson14"])
        #expect(run.contains("--no-install-recommends"))
        #expect(run.contains("/var/lib/apt/lists/*"))
    }

    @Test("The user is numeric and is not root")
    func user() throws {
        let user = try #require(words("USER").first?.first)
        #expect(user.split(separator: ":").allSatisfy { (Int($0) ?? 0) > 0 })
    }

    @Test("Signals reach the service, and the health check is its own command")
    func process() {
        #expect(words("STOPSIGNAL") == [["SIGTERM"]])
        #expect(final.contains(#"ENTRYPOINT ["/usr/local/bin/springbar"]"#))
        #expect(final.contains(#"CMD ["serve"]"#))
        #expect(
            final.contains {
                $0.hasPrefix("HEALTHCHECK") && $0.hasSuffix(#"CMD ["/usr/local/bin/springbar", "health"]"#)
            }
        )
    }

    @Test("The image has the labels of the Open Containers Initiative")
    func labels() {
        let labels = words("LABEL").joined().joined(separator: " ")
        for name in ["title", "description", "licenses", "version", "revision"] {
            #expect(labels.contains("org.opencontainers.image.\(name)="))
        }
    }

    @Test("The Dockerfile uses no syntax that some builders do not support")
    func portable() {
        for instruction in instructions {
            #expect(!instruction.contains("<<"), "a here-document: \(instruction)")
            #expect(!instruction.contains("--link"), "COPY --link: \(instruction)")
        }
    }

    @Test("The build context has only the files that are built")
    func ignored() throws {
        let lines = try Checkout.text(".dockerignore").split(separator: "\n")
        #expect(lines.first == "*")
        let folders: Set<Substring> = ["!Clients", "!Playground", "!Sources", "!Tests"]
        #expect(Set(lines.dropFirst()) == folders.union(["!Package.swift", "!openapi.yaml"]))
    }
}

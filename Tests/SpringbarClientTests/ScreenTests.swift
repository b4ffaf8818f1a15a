import BarLayout
import Foundation
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

@Suite("The client on a screen")
struct ScreenTests {
    @Test("Only the changed parts of a view become events, the offset last")
    func events() throws {
        let first = try geometry(y: 0)
        #expect(first.events(to: first).isEmpty)
        #expect(first.events(to: try geometry(y: 5)) == [.scroll(5)])
        let grown = try geometry(y: 6, height: 900, top: 3)
        #expect(first.events(to: grown).count == 3 && first.events(to: grown).last == .scroll(6))
        let moved = try geometry(y: 7, height: 900, top: 4)
        var known = grown
        known.contentInset = moved.contentInset
        #expect(known.events(to: moved) == [.scroll(7)])
    }

    @Test("Values of Core Graphics need no `try`: those beyond the limits become the nearest ones")
    func coreGraphics() throws {
        #expect(Point(CGPoint(x: 1.5, y: -150)) == (try Point(x: 1.5, y: -150)))
        #expect(Point(CGPoint(x: Double.nan, y: Double.infinity)) == (try Point(x: 0, y: 1e9)))
        #expect(Size(CGSize(width: -1, height: 2e9)) == (try Size(width: 0, height: 1e9)))
        let rect = CGRect(x: -Double.infinity, y: 2, width: Double.nan, height: 4)
        #expect(Rect(rect) == (try Rect(x: -1e9, y: 2, width: 0, height: 4)))
        #expect(BarEvent.contentOffset(CGPoint(x: 0, y: -150)) == .scroll(-150))
        let heights = try BarConfiguration(compactStateHeight: 100, normalStateHeight: 200, expandedStateHeight: 300)
        #expect(BarConfiguration(compact: 100, normal: 200, expanded: 300) == heights)
        let odd = BarConfiguration(compact: 50, normal: .nan, expanded: 2e9)
        #expect([odd.compactStateHeight, odd.normalStateHeight, odd.expandedStateHeight] == [50, 50, 1e9])
    }

    @Test("A command of a projected snap has its spring, and another one AirBar's animation")
    func animations() throws {
        let target = try Point(x: 0, y: 0)
        let snap = SnapSpring(dampingRatio: 0.8, response: 0.3, relativeVelocity: 2)
        let projected = BarCommand(scrollableID: "a", target: target, animated: true, spring: snap)
        guard case .spring(_, let velocity)? = BarAnimation(projected) else { throw UnknownForm() }
        #expect(velocity == 2)
        let plain = BarCommand(scrollableID: "a", target: target, animated: true)
        #expect(BarAnimation(plain) == .standard(duration: 0.25))
        #expect(BarAnimation(BarCommand(scrollableID: "a", target: target, animated: false)) == nil)
    }

    /// The code for Apple's platforms, the example and the documentation compile against stand-ins of the SDK.
    ///
    /// `FollowerCheck` runs there: attachment, insets, and problems.
    @Test("The code for UIKit and SwiftUI is type-checked, and follows views")
    func typeCheck() throws {
        let check = try SDKCheck()
        func expect(_ faults: String, _ place: String) { #expect(faults == "", "\(place)") }
        for module in ["MacTypes", "UIKit", "Combine", "SwiftUI"] {
            let files = try check.files(below: "Tests/SpringbarClientTests/StandIns/\(module).swift")
            expect(try check.compile(module, from: files), module)
        }
        expect(try check.compile("SpringbarClient", from: check.files(below: "Sources/SpringbarClient")), "client")
        expect(try check.run("Tests/SpringbarClientTests/StandIns/FollowerCheck.swift"), "follower")
        expect(try check.compile("Example", from: check.files(below: "Examples/ios")), "example")
        for page in ["README.md", "docs/clients.md"] {
            for (index, text) in try check.snippets(of: page).enumerated() {
                expect(try check.compile("Page\(index)", text: text), "\(page), block \(index)")
            }
        }
    }

    private func geometry(y: Double, height: Double = 800, top: Double = 0) throws -> ScrollGeometry {
        ScrollGeometry(
            contentOffset: try Point(x: 0, y: y),
            contentSize: try Size(width: 300, height: height),
            frame: try Rect(x: 0, y: 0, width: 300, height: 500),
            contentInset: try EdgeInsets(top: top, left: 0, bottom: 0, right: 0)
        )
    }
}

/// Compiles modules to a folder of their own, in which later ones find them.
private final class SDKCheck {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the file at a path of the checkout, or the Swift files below it.
    func files(below path: String) throws -> [URL] {
        let place = Checkout.file(path)
        guard !path.hasSuffix(".swift") else { return [place] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { place.appendingPathComponent($0) }
    }

    /// Returns the Swift code of a page; what a page leaves to its reader is declared here.
    func snippets(of page: String) throws -> [String] {
        let text = try String(contentsOf: Checkout.file(page), encoding: .utf8)
        let given = """
            import BarLayout
            import Foundation
            import SpringbarClient
            import UIKit
            @MainActor func page(tableView: UIScrollView, barView: UIView, heights: BarConfiguration, url: URL) async throws {

            """
        return text.components(separatedBy: "```swift\n").dropFirst().map { block in
            let code = block.components(separatedBy: "```")[0].split(separator: "\n").filter {
                !$0.hasPrefix("import ")
            }
            return given + code.joined(separator: "\n") + "\n}\n"
        }
    }

    /// Compiles a text as a module; returns the errors and warnings.
    func compile(_ module: String, text: String) throws -> String {
        let file = folder.appendingPathComponent("\(module)-text.swift")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try compile(module, from: [file])
    }

    /// Compiles a module without code; returns the errors and warnings.
    func compile(_ module: String, from files: [URL]) throws -> String {
        var arguments = [
            "swiftc", "-c", "-wmo", "-o", object(module), "-emit-module", "-module-name", module, "-parse-as-library",
            "-swift-version", "6",
            "-warnings-as-errors", "-package-name", Checkout.packageName,
            "-I", folder.path, "-I", "\(products)/Modules", "-I", Checkout.file("Sources/CMathematics").path,
            "-emit-module-path", folder.appendingPathComponent("\(module).swiftmodule").path,
        ]
        arguments += Checkout.featureFlags
        let copies = folder.appendingPathComponent(module)
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        for (index, file) in files.enumerated() {
            let copy = copies.appendingPathComponent("\(index)-\(file.lastPathComponent)")
            try asOnLinux(String(contentsOf: file, encoding: .utf8))
                .write(to: copy, atomically: true, encoding: .utf8)
            arguments.append(copy.path)
        }
        let lines = try output(of: arguments).split(separator: "\n")
        return lines.filter { $0.contains("error:") || $0.contains("warning:") }.joined(separator: "\n")
    }

    /// Runs a program with the modules before it; returns its output.
    func run(_ path: String) throws -> String {
        let faults = try compile("Program", from: files(below: path))
        guard faults.isEmpty else { return faults }
        var objects = ["MacTypes", "UIKit", "Combine", "SwiftUI", "SpringbarClient", "Program"].map(object)
        for module in ["BarLayout", "ClientJSON", "Motion", "Primitives"] {
            let build = "\(products)/\(module).build"
            let names = try FileManager.default.contentsOfDirectory(atPath: build).filter { $0.hasSuffix(".o") }
            objects += names.map { "\(build)/\($0)" }
        }
        let program = folder.appendingPathComponent("program").path
        return try output(of: ["swiftc", "-o", program] + objects) + output(of: [program])
    }

    private func object(_ module: String) -> String { folder.appendingPathComponent("\(module).o").path }

    /// Runs a command; returns its output, and what it reports if it fails.
    private func output(of command: [String]) throws -> String {
        let file = folder.appendingPathComponent("output.txt")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let handle = try FileHandle(forWritingTo: file)
        (process.standardOutput, process.standardError) = (handle, handle)
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOf: file, encoding: .utf8)
        return process.terminationStatus == 0 || !text.isEmpty ? text : "exit status \(process.terminationStatus)"
    }

    /// Replaces what only platforms with Objective-C have, and imports what Foundation has there.
    private func asOnLinux(_ text: String) -> String {
        let changes = [
            ("@objc ", ""), (#"#selector\((\w+)\(_:\)\)"#, #"Selector("$1")"#),
            ("(?m)^((?:public )?import Foundation)$", "$1\nimport MacTypes"),
        ]
        return changes.reduce(text) { text, change in
            text.replacingOccurrences(of: change.0, with: change.1, options: .regularExpression)
        }
    }

    private var products: String { Checkout.products.path }
}

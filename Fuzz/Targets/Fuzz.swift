import Glibc

// libFuzzer has the `main` of the program and calls the two functions below. See ../README.md.

/// One subject of fuzzing: a name, which is that of its corpus, and a function that stops the process on a finding.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    /// Every target.
    ///
    /// A new one is a function and a line here.
    static let all: [FuzzTarget] = [
        FuzzTarget(name: "blurhash", run: fuzzBlurHash),
        FuzzTarget(name: "cursor", run: fuzzCursor),
        FuzzTarget(name: "dropin", run: fuzzDropIn),
        FuzzTarget(name: "events", run: fuzzEvents),
        FuzzTarget(name: "fields", run: fuzzFields),
        FuzzTarget(name: "json", run: fuzzJSON),
        FuzzTarget(name: "link", run: fuzzLink),
        FuzzTarget(name: "motion", run: fuzzMotion),
        FuzzTarget(name: "payload", run: fuzzPayload),
        FuzzTarget(name: "picture", run: fuzzPicture),
        FuzzTarget(name: "sessions", run: fuzzSessions),
        FuzzTarget(name: "target", run: fuzzRequestTarget),
    ]

    /// The target that `FUZZ_TARGET` names; without a known one the process prints all names and ends.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            print(all.map(\.name).joined(separator: "\n"))
            exit(name.isEmpty ? 0 : 2)
        }
        return target
    }()
}

/// Chooses the target before libFuzzer reads the corpus.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    _ = FuzzTarget.chosen
    return 0
}

/// Runs the target on one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Stops the process, which libFuzzer reports as a finding and keeps the input of, unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line)
{
    if !condition { fail(message(), file: file, line: line) }
}

/// Stops the process with a finding.
func fail(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}

import Glibc

// libFuzzer has the program's `main` and calls the two functions below. See ../README.md.

/// A fuzz target: the name of its corpus, and a function that stops the process on a finding.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    /// All targets.
    ///
    /// A new target is a function and a line here.
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
        FuzzTarget(name: "replies", run: fuzzReplies),
        FuzzTarget(name: "sessions", run: fuzzSessions),
        FuzzTarget(name: "stored", run: fuzzStoredBar),
        FuzzTarget(name: "target", run: fuzzRequestTarget),
    ]

    /// The target that `FUZZ_TARGET` names.
    ///
    /// Without a known name, the process prints all names and ends.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = all.first(where: { $0.name == name }) else {
            print(all.map(\.name).joined(separator: "\n"))
            exit(name.isEmpty ? 0 : 2)
        }
        return target
    }()
}

/// Selects the target before libFuzzer reads the corpus.
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

/// Stops the process unless the condition holds.
///
/// libFuzzer reports the finding and keeps its input.
func require(_ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line)
{
    if !condition { fail(message(), file: file, line: line) }
}

/// Stops the process with a finding.
func fail(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(message, file: file, line: line)
}

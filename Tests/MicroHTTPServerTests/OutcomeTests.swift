import HTTPExchange
import Testing

@testable import MicroHTTPServer

@Suite struct OutcomeTests {
    static let table: [(Ending, Outcome)] = [
        (Ending(termination: .completed), .completed),
        (Ending(termination: .completed, refusal: .missingHost), .refused(.missingHost)),
        (Ending(termination: .completed, refusal: .deadlineExceeded), .refused(.deadlineExceeded)),
        (Ending(termination: .completed, isFailed: true), .failed),
        (Ending(termination: .timeout), .timedOut),
        (Ending(termination: .shutdown), .aborted),
        (Ending(termination: .shutdown, isExpired: true), .timedOut),
        (Ending(termination: .clientAbort), .clientGone),
        (Ending(termination: .clientAbort, isExpired: true), .timedOut),
        (Ending(termination: .readError), .clientGone),
        (Ending(termination: .error), .clientGone),
        (Ending(termination: .error, refusal: .missingHost), .clientGone),
        (Ending(termination: .error, libraryStatus: 400), .refusedByLibrary(status: 400)),
        (Ending(termination: .error, isFailed: true), .failed),
        (Ending(termination: .error, isExpired: true), .timedOut),
    ]

    @Test("Every ending is counted once, where it belongs", arguments: table)
    func outcome(ending: Ending, outcome: Outcome) {
        #expect(ending.outcome == outcome)
    }
}

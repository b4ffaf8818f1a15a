import HTTPExchange
import Testing

@testable import MicroHTTPServer

@Suite struct ExchangeOutcomeTests {
    static let table: [(ExchangeEnd, ExchangeOutcome)] = [
        (ExchangeEnd(termination: .completed), .completed),
        (ExchangeEnd(termination: .completed, refusal: .missingHost), .refused(.missingHost)),
        (ExchangeEnd(termination: .completed, refusal: .deadlineExceeded), .refused(.deadlineExceeded)),
        (ExchangeEnd(termination: .completed, isFailed: true), .failed),
        (ExchangeEnd(termination: .timeout), .timedOut),
        (ExchangeEnd(termination: .shutdown), .aborted),
        (ExchangeEnd(termination: .shutdown, isExpired: true), .timedOut),
        (ExchangeEnd(termination: .clientAbort), .clientGone),
        (ExchangeEnd(termination: .clientAbort, isExpired: true), .timedOut),
        (ExchangeEnd(termination: .readError), .clientGone),
        (ExchangeEnd(termination: .error), .clientGone),
        (ExchangeEnd(termination: .error, refusal: .missingHost), .clientGone),
        (ExchangeEnd(termination: .error, libraryStatus: 400), .refusedByLibrary(status: 400)),
        (ExchangeEnd(termination: .error, isFailed: true), .failed),
        (ExchangeEnd(termination: .error, isExpired: true), .timedOut),
    ]

    @Test("every end of a request has one outcome", arguments: table)
    func outcome(ending: ExchangeEnd, outcome: ExchangeOutcome) {
        #expect(ending.outcome == outcome)
    }
}

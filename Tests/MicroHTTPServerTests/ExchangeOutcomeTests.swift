import CMicroHTTPD
import HTTPExchange
import Testing

@testable import MicroHTTPServer

@Suite struct ExchangeOutcomeTests {
    static let table: [(ExchangeOutcome, ExchangeOutcome)] = [
        (ExchangeOutcome(.REQUEST_TERMINATED_COMPLETED_OK), .completed),
        (ExchangeOutcome(.REQUEST_TERMINATED_COMPLETED_OK, refusal: .missingHost), .refused),
        (ExchangeOutcome(.REQUEST_TERMINATED_COMPLETED_OK, isFailed: true), .failed),
        (ExchangeOutcome(.REQUEST_TERMINATED_TIMEOUT_REACHED), .timedOut),
        (ExchangeOutcome(.REQUEST_TERMINATED_DAEMON_SHUTDOWN), .aborted),
        (ExchangeOutcome(.REQUEST_TERMINATED_DAEMON_SHUTDOWN, isExpired: true), .timedOut),
        (ExchangeOutcome(.REQUEST_TERMINATED_CLIENT_ABORT), .clientGone),
        (ExchangeOutcome(.REQUEST_TERMINATED_CLIENT_ABORT, isExpired: true), .timedOut),
        (ExchangeOutcome(.REQUEST_TERMINATED_READ_ERROR), .clientGone),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR), .clientGone),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR, refusal: .missingHost), .clientGone),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR, refusal: HeadSize.tooLarge(limit: 8192)), .refused),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR, libraryStatus: 400), .refusedByLibrary),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR, isFailed: true), .failed),
        (ExchangeOutcome(.REQUEST_TERMINATED_WITH_ERROR, isExpired: true), .timedOut),
    ]

    @Test("every end of a request has one outcome", arguments: table)
    func outcome(of end: ExchangeOutcome, outcome: ExchangeOutcome) {
        #expect(end == outcome)
    }
}

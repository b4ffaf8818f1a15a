import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to a service; the tests of an app replace it.
public protocol Transport: Sendable {
    /// Sends a request to the service at a base address, and returns the response of any status.
    ///
    /// - Throws: the problem of a missing response, or `cancelled` if the task is cancelled.
    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse

    /// Returns the bytes of a response that does not end, as they arrive.
    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error>
}

extension Transport {
    /// A stream that ends at once: bars then watch no other writers.
    public func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { $0.finish() }
    }
}

/// Sends requests with `URLSession`.
struct URLSessionTransport: Transport {
    private let session: URLSession

    var configuration: URLSessionConfiguration { session.configuration }

    /// A transport with sessions of this configuration; `timeout` is the time limit of a response in seconds.
    ///
    /// On Linux both settings of `limited(to:)` are needed: a task that is cancelled
    /// while its cache is asked stops the process, and the time limit of a single request is ignored.
    init(_ configuration: URLSessionConfiguration, timeout: Double) {
        session = URLSession(configuration: configuration.limited(to: timeout))
    }

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        guard let url = URL(string: base + request.target) else {
            throw Problem(status: 400, code: "invalid-address", detail: "The address is not a URL.")
        }
        var message = URLRequest(url: url, timeoutInterval: configuration.timeoutIntervalForRequest)
        message.httpMethod = request.method
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        if let content = request.content { message.httpBody = Data(content.utf8) }
        let (data, response) = try await load(message)
        guard let response = response as? HTTPURLResponse else { throw .unreadable(status: 0) }
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            fields[name.lowercased()] = value
        }
        return ServiceResponse(status: response.statusCode, fields: fields, content: Array(data))
    }

    /// Loads a request; a cancelled task cancels the load.
    ///
    /// `URLSession.data(for:)` of FoundationNetworking may not return if its task is cancelled right after the start.
    private func load(_ message: URLRequest) async throws(Problem) -> (Data, URLResponse?) {
        let load = Load()
        let result: Result<(Data, URLResponse?), Problem> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = session.dataTask(with: message) { data, response, error in
                    let problem = error.map { Problem(of: $0) }
                    continuation.resume(returning: problem.map { .failure($0) } ?? .success((data ?? Data(), response)))
                }
                load.start(task)
            }
        } onCancel: {
            load.cancel()
        }
        return try result.get()
    }
}

extension URLSessionConfiguration {
    /// Returns a copy without a cache, because the client has its own, and with a time limit in seconds.
    ///
    /// FoundationNetworking drops the fraction, so it is rounded up.
    func limited(to seconds: Double) -> URLSessionConfiguration {
        let copy = copy() as? URLSessionConfiguration ?? self
        copy.urlCache = nil
        copy.timeoutIntervalForRequest = seconds.rounded(.up)
        return copy
    }
}

/// A task of a session that may be cancelled before it exists.
///
/// `@unchecked Sendable`: the lock guards both properties.
private final class Load: @unchecked Sendable {
    private let lock = NSLock()
    private var task: URLSessionDataTask?
    private var isCancelled = false

    func start(_ task: URLSessionDataTask) {
        lock.lock()
        self.task = task
        let isCancelled = isCancelled
        lock.unlock()
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        let task = task
        lock.unlock()
        task?.cancel()
    }
}

extension Problem {
    /// The problem of a request without a response.
    fileprivate init(of error: any Error) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .timedOut: self.init(code: "timeout", detail: "The service did not respond in time.")
        default: self.init(code: "unreachable", detail: "The service did not respond: \(error.localizedDescription)")
        }
    }

    /// The problem of a cancelled task.
    static let cancelled = Problem(code: "cancelled", detail: "The request was cancelled.")
}

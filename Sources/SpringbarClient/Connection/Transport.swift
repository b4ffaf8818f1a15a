import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests; tests replace it.
protocol Transport: Sendable {
    /// Sends a request to a base address, and returns the response of any status.
    ///
    /// - Throws: the problem of a missing response, or `cancelled` if the task is cancelled.
    func send(_ request: ServiceRequest, base: String, timeout: Double) async throws(Problem) -> ServiceResponse

    /// Returns the bytes of a response that does not end, as they arrive.
    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error>
}

/// Sends requests with `URLSession`.
struct URLSessionTransport: Transport {
    private let session: URLSession

    var configuration: URLSessionConfiguration { session.configuration }

    init(_ session: URLSession) {
        self.session = session
    }

    func send(_ request: ServiceRequest, base: String, timeout: Double) async throws(Problem) -> ServiceResponse {
        guard let url = URL(string: base + request.target) else {
            throw Problem(status: 400, code: "invalid-address", detail: "The address is not a URL.")
        }
        // The client revalidates by itself, so a second cache would only keep a copy.
        var message = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
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

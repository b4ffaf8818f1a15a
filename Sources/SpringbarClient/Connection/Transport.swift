#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends requests to a service; the tests of an app replace it, and a transport may change what another one sends.
public protocol Transport: Sendable {
    /// Sends a request to the service at a base address, and returns the response of any status.
    ///
    /// - Throws: the problem of a missing response, or `cancelled` if the task is cancelled.
    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse

    /// Returns the bytes of a response that does not end, as they arrive; throws the problem of an error response.
    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error>
}

extension Transport {
    /// A stream that ends at once: bars then watch no other writers.
    public func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        AsyncThrowingStream { $0.finish() }
    }
}

/// The transport of a client that is given none.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// A transport with sessions of this configuration; `timeout` is the time limit of a response, from 1 to
    /// 86,400 seconds.
    public init(_ configuration: URLSessionConfiguration = .ephemeral, timeout: Double = 10) {
        session = URLSession(configuration: configuration.limited(to: timeout))
    }

    /// Sends a request once; a cancelled task cancels it.
    public func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        guard var message = URLRequest(request, base: base) else {
            throw Problem(status: 400, code: "invalid-address", detail: "The address is not a URL.")
        }
        message.timeoutInterval = session.configuration.timeoutIntervalForRequest
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
        let (loaded, continuation) = AsyncThrowingStream.makeStream(of: (Data, URLResponse?).self)
        let task = session.dataTask(with: message) { data, response, error in
            if error == nil { continuation.yield((data ?? Data(), response)) }
            continuation.finish(throwing: error)
        }
        task.delegate = RedirectPolicy()
        continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
        task.resume()
        do {
            for try await result in loaded { return result }
        } catch {
            throw Problem(of: error)
        }
        // The stream of a cancelled task ends without a result.
        throw .cancelled
    }

    /// Opens a stream, with a session of its own.
    public func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        guard let message = URLRequest(request, base: base) else {
            continuation.finish(throwing: URLError(.badURL))
            return stream
        }
        // A delegate belongs to a session, so each stream has its own. The service sends a comment every 15 s.
        let configuration = session.configuration.limited(to: 45)
        let receiver = StreamReceiver(continuation)
        let session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
        let task = session.dataTask(with: message)
        continuation.onTermination = { _ in
            task.cancel()
            session.finishTasksAndInvalidate()
        }
        task.resume()
        return stream
    }
}

/// Sends the token to no other origin than that of the request; FoundationNetworking keeps all fields in a redirect.
private final class RedirectPolicy: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var request = request
        let (from, to) = (task.originalRequest?.url, request.url)
        if from?.scheme != to?.scheme || from?.host != to?.host || from?.port != to?.port {
            request.setValue(nil, forHTTPHeaderField: "Authorization")
        }
        completionHandler(request)
    }
}

private final class StreamReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private let continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<[UInt8], any Error>.Continuation) {
        self.continuation = continuation
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let response = response as? HTTPURLResponse
        let status = response?.statusCode ?? 0
        let isStream = status == 200 && response?.mimeType?.lowercased() == "text/event-stream"
        if !isStream {
            let field = response?.value(forHTTPHeaderField: "Retry-After")
            let retryAfter = field.flatMap { BackOff.seconds(retryAfter: $0) }
            let status = status < 400 ? 0 : status
            let detail = "The service answered \(status)."
            continuation.finish(
                throwing: Problem(status: status, code: "unreadable", detail: detail, retryAfter: retryAfter)
            )
        }
        completionHandler(isStream ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(Array(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error)
    }
}

extension URLRequest {
    /// The request to the service at an address; nil if that is not a URL.
    fileprivate init?(_ request: ServiceRequest, base: String) {
        guard let url = URL(string: base + request.target) else { return nil }
        self.init(url: url)
        httpMethod = request.method
        for (name, value) in request.fields { setValue(value, forHTTPHeaderField: name) }
        httpBody = request.content.map { Data($0.utf8) }
    }
}

extension URLSessionConfiguration {
    /// Returns a copy without a cache, because the client has its own, and with a time limit in seconds.
    ///
    /// On Linux both are needed: a task that is cancelled while its cache is asked stops the process, and the time limit
    /// of a single request is ignored. FoundationNetworking drops the fraction of the limit, so it is rounded up. It
    /// stops the process for a limit that is no integer, such as infinity.
    fileprivate func limited(to seconds: Double) -> URLSessionConfiguration {
        let copy = copy() as? URLSessionConfiguration ?? self
        copy.urlCache = nil
        copy.timeoutIntervalForRequest = seconds >= 1 ? min(seconds, 86_400).rounded(.up) : 1
        return copy
    }
}

extension Problem {
    fileprivate init(of error: any Error) {
        switch (error as? URLError)?.code {
        case .cancelled: self = .cancelled
        case .timedOut: self.init(code: "timeout", detail: "The service did not respond in time.")
        default: self.init(code: "unreachable", detail: "The service did not respond: \(error.localizedDescription)")
        }
    }

    static let cancelled = Problem(code: "cancelled", detail: "The request was cancelled.")
}

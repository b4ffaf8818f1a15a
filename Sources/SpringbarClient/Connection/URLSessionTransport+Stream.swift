import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    func stream(_ request: ServiceRequest, base: String) -> AsyncThrowingStream<[UInt8], any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        guard let url = URL(string: base + request.target) else {
            continuation.finish(throwing: URLError(.badURL))
            return stream
        }
        var message = URLRequest(url: url)
        for (name, value) in request.fields { message.setValue(value, forHTTPHeaderField: name) }
        // A delegate belongs to a session, so each stream has its own. The service sends a comment every 15 s.
        let session = URLSession(
            configuration: configuration.limited(to: 45),
            delegate: StreamReceiver(continuation),
            delegateQueue: nil
        )
        let task = session.dataTask(with: message)
        continuation.onTermination = { _ in
            task.cancel()
            session.finishTasksAndInvalidate()
        }
        task.resume()
        return stream
    }
}

/// Passes the bytes of a response on while they arrive.
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
        let isStream = (response as? HTTPURLResponse)?.statusCode == 200
        completionHandler(isStream ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(Array(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error)
    }
}

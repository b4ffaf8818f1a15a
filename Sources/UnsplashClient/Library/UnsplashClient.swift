package import Logging
import Network
package import PhotoLibrary
package import Primitives

/// The photo library over HTTP: api.unsplash.com, a gateway, or `springbar sandbox`.
///
/// The key is sent only to the API's origin: not to the image hosts, nor in a URL, a log line or an error.
package final class UnsplashClient: Library {
    package struct Configuration: Sendable {
        /// The access key; sent as `Authorization: Client-ID`.
        package var accessKey: String
        /// Scheme, host, port and path prefix of the API, such as `https://api.unsplash.com`.
        package var apiURL: String
        /// `host` or `host:port` each; https, unless the API is http on loopback.
        package var imageHosts = ["images.unsplash.com", "plus.unsplash.com"]
        package var timeouts = TransferTimeouts()
        /// In bytes, decompressed.
        package var largestAnswer = 4 << 20
        package var largestPicture = 25 << 20
        /// The budget that answers of the API are charged to while they arrive and are read.
        package var memory = MemoryBudget.unlimited
        /// A file of trusted certificates (PEM); nil for the system's.
        package var authorities: String?
        /// The addresses that transfers may connect to; the client allows loopback if the API is there.
        var policy = AddressPolicy(allowsLoopback: false)

        package init(accessKey: String, apiURL: String = "https://api.unsplash.com") {
            self.accessKey = accessKey
            self.apiURL = apiURL
        }
    }

    package enum ConfigurationError: Error, Equatable {
        case malformedURL
        /// A key with characters that could end its field line.
        case malformedKey
    }

    private let loop: TransferLoop
    private let configuration: Configuration
    /// Without a slash at its end.
    private let api: WebAddress
    private let base: String
    private let imageOrigins: [WebAddress]
    private let logger: Logger

    private static let redirects = 3

    package init(_ configuration: Configuration, logger: Logger) throws(ConfigurationError) {
        guard let api = WebAddress(configuration.apiURL), !api.target.contains("?") else { throw .malformedURL }
        guard !configuration.accessKey.isEmpty, configuration.accessKey.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw .malformedKey
        }
        var configuration = configuration
        configuration.policy.allowsLoopback = api.isLoopback
        self.configuration = configuration
        self.logger = logger
        self.api = api
        base = api.text.hasSuffix("/") ? String(api.text.dropLast()) : api.text
        let isLocal = api.scheme == "http" && api.isLoopback
        imageOrigins = WebAddress.origins(of: configuration.imageHosts, allowsHTTP: isLocal)
        loop = TransferLoop(configuration)
    }

    /// Returns false for a URL with an address that no transfer connects to; a name is looked up by each transfer.
    package static func mayConnect(to apiURL: String) -> Bool {
        guard let api = WebAddress(apiURL), let address = IPAddress(api.host) else { return true }
        return AddressPolicy(allowsLoopback: true).permits(address)
    }

    /// Cancels every transfer and ends the thread; the client cannot be used afterwards.
    package func stop() { loop.stop() }

    // MARK: The API

    package func get(_ target: String) async throws(UpstreamError) -> LibraryAnswer {
        // The key is sent only to the origin of the API, whatever the target contains.
        guard target.hasPrefix("/"), let address = WebAddress(base + target), address.isAt(api) else {
            throw .invalidQuery(400, "The address is not valid.")
        }
        let fields = [
            "Authorization: Client-ID \(configuration.accessKey)", "Accept-Version: v1", "Accept: application/json",
        ]
        let deadline = Instant.now + configuration.timeouts.total
        let response = try await run(
            TransferRequest(address: address, fields: fields + UnsplashClient.commonFields, deadline: deadline)
        )
        guard response.status == 200 else {
            let error = UpstreamError(response, hiding: configuration.accessKey)
            throw response.remainingCalls.map { .counted(error, remainingCalls: $0) } ?? error
        }
        // Reading millions of bytes takes milliseconds of a thread that others need.
        if Task.isCancelled { throw .cancelled }
        return LibraryAnswer(response)
    }

    /// The fields of every request, with the trace that the call belongs to.
    private static var commonFields: [String] {
        let trace = UpstreamTrace.current
        return ["User-Agent: springbar"]
            + [trace.map { "traceparent: \($0.parent)" }, trace?.state.map { "tracestate: \($0)" }].compactMap(\.self)
    }

    // MARK: Pictures

    package func picture(at url: String, into receiver: any PictureReceiver) async throws(UpstreamError) {
        let deadline = Instant.now + configuration.timeouts.total
        var next = url
        for _ in 0...UnsplashClient.redirects {
            guard let address = WebAddress(next) else { throw .unusable("picture address") }
            guard isImageOrigin(address) else {
                throw .imageRejected(next == url ? .hostNotAllowed : .redirected)
            }
            let fields = ["Accept: image/*"] + UnsplashClient.commonFields
            let response = try await run(
                TransferRequest(address: address, fields: fields, deadline: deadline, receiver: receiver)
            )
            if response.status == 200 { return }
            guard 300..<400 ~= response.status, let redirect = response.redirect else {
                throw UpstreamError(picture: response)
            }
            next = redirect
        }
        throw .imageRejected(.redirected)
    }

    package func allowsPicture(at url: String) -> Bool { WebAddress(url).map(isImageOrigin) ?? false }

    private func isImageOrigin(_ address: WebAddress) -> Bool { imageOrigins.contains(where: address.isAt) }

    /// Runs a transfer and logs its end, without the query, which may have the words of a search.
    private func run(_ request: TransferRequest) async throws(UpstreamError) -> TransferResponse {
        let start = Instant.now
        let (address, kind) = (request.address, request.isImage ? "picture" : "api")
        func members(_ name: String, _ value: String) -> Logger.Metadata {
            let what = request.isImage ? address.host[...] : address.target.prefix { $0 != "?" }
            return ["what": "\(what)", name: "\(value)", "took": "\(Instant.now - start)"]
        }
        do {
            let response = try await loop.run(request)
            logger.debug("\(kind) answered", metadata: members("status", "\(response.status)"))
            return response
        } catch {
            if error != .cancelled { logger.warning("\(kind) failed", metadata: members("error", "\(error)")) }
            throw error
        }
    }
}

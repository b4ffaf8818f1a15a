public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A service: its bars, springs and photos.
public struct Springbar: Sendable {
    /// The version of this library, which each request names in `X-Client`.
    public static let version = "1.1.0"

    /// The operations on springs that need the service.
    public let springs: Springs
    /// The photos of the service.
    public let photos: Photos
    let connection: Connection

    /// Connects to the service at an address.
    ///
    /// - Parameters:
    ///   - base: the address, such as `https://bars.example`.
    ///   - token: the bearer token if the service requires one.
    ///   - timeout: the time limit of a response, from 1 to 86,400 seconds.
    ///   - configuration: the configuration of the sessions; the client sets its cache and its time limit.
    ///   - authorize: returns another token when one is refused; nil for none. Its error is the problem `unauthorized`.
    public init(
        _ base: URL,
        token: String? = nil,
        timeout: Double = 10,
        configuration: URLSessionConfiguration = .ephemeral,
        authorize: (@Sendable () async throws -> String?)? = nil
    ) {
        let transport = URLSessionTransport(configuration, timeout: timeout)
        self.init(transport: transport, base: base.absoluteString, token: token, authorize: authorize)
    }

    /// Connects to a service through a transport: that of an app's tests, or one that changes or logs requests.
    public init(
        transport: any Transport,
        base: String = "",
        token: String? = nil,
        clock: (any ClientClock)? = nil,
        authorize: (@Sendable () async throws -> String?)? = nil
    ) {
        let clock = clock ?? SystemClock()
        connection = Connection(base: base, transport: transport, token: token, clock: clock, authorize: authorize)
        springs = Springs(connection: connection)
        photos = Photos(connection: connection)
    }

    /// Starts, or with an `id` continues, the session of a bar; at most `queueLimit` events wait for the service.
    @MainActor
    public func bar(_ definition: BarDefinition, id: String? = nil, queueLimit: Int = 10_000) -> Bar {
        Bar(definition, id: id, queueLimit: queueLimit, connection: connection)
    }
}

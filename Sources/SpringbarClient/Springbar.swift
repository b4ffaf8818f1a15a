public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A service: its bars, springs and photos.
public struct Springbar: Sendable {
    /// The version of this library, which each request names in `X-Client`.
    public static let version = "1.0.0"

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
    ///   - timeout: the time limit of a response in seconds.
    ///   - configuration: the configuration of the sessions; the client sets its cache and its time limit.
    ///   - authorize: returns another token when the service refuses the last one; nil if there is none.
    public init(
        _ base: URL,
        token: String? = nil,
        timeout: Double = 10,
        configuration: URLSessionConfiguration = .ephemeral,
        authorize: (@Sendable () async -> String?)? = nil
    ) {
        let transport = URLSessionTransport(configuration, timeout: timeout)
        self.init(transport: transport, base: base.absoluteString, token: token, authorize: authorize)
    }

    /// Connects to a service through a transport, such as one of an app's tests.
    public init(
        transport: any Transport,
        base: String = "",
        token: String? = nil,
        authorize: (@Sendable () async -> String?)? = nil
    ) {
        connection = Connection(base: base, transport: transport, token: token, authorize: authorize)
        springs = Springs(connection: connection)
        photos = Photos(connection: connection)
    }

    /// Starts, or with an `id` continues, the session of a bar; at most `queueLimit` events wait for the service.
    @MainActor
    public func bar(_ definition: BarDefinition, id: String? = nil, queueLimit: Int = 10_000) -> Bar {
        Bar(definition, id: id, queueLimit: queueLimit, connection: connection)
    }
}

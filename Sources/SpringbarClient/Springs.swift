public import Motion

/// The operations on springs that need the service: conversions between platforms, and CSS curves.
public struct Springs: Sendable {
    let connection: Connection

    /// Converts a spring to every platform.
    ///
    /// `parameters` are those of the convention, such as `["dampingRatio": 0.8, "response": 0.3]`. `convention` is its
    /// id, such as `physical`; nil if the names tell it.
    ///
    /// - Throws: the problem of an error response or of a missing one.
    public func convert(
        _ parameters: KeyValuePairs<String, Double>,
        convention: String? = nil
    ) async throws(Problem) -> ConvertedSpring {
        try await connection.value(ConvertedSpring.self, request("/v1/springs", parameters, convention))
    }

    /// Returns a spring's curve as a CSS `linear()` with the fewest stops for an error, from 0.0005 to 0.1 of the travel.
    ///
    /// - Throws: the problem of an error response or of a missing one.
    public func linear(
        _ parameters: KeyValuePairs<String, Double>,
        convention: String? = nil,
        maxError: Double = 0.002
    ) async throws(Problem) -> LinearCurve {
        var request = request("/v1/springs/linear", parameters, convention)
        request.query.append(.init(name: "maxError", value: "\(maxError)"))
        return try await connection.value(LinearCurve.self, request)
    }

    private func request(
        _ path: String,
        _ parameters: KeyValuePairs<String, Double>,
        _ convention: String?
    ) -> ServiceRequest {
        let numbers = parameters.map { (name: $0.key, value: Optional("\($0.value)")) }
        return ServiceRequest("GET", path, query: numbers + [("convention", convention)])
    }
}

/// A spring in the terms of every platform.
public struct ConvertedSpring: Sendable, Equatable, Decodable {
    /// The spring itself.
    public let spring: Parameters
    /// The times at which the spring is at rest.
    public let settling: Settling
    /// The furthest distance beyond the target, as a share of the travel.
    public let overshoot: Double
    /// The spring in each convention, by its id.
    public let conventions: [String: Conversion]

    /// The parameters that shape the motion.
    public struct Parameters: Sendable, Equatable, Decodable {
        /// The damping ratio.
        public let dampingRatio: Double
        /// The period of the undamped spring, in seconds.
        public let response: Double
        /// The mass.
        public let mass: Double
        /// The stiffness at that mass.
        public let stiffness: Double
        /// The damping coefficient at that mass.
        public let damping: Double

        /// The spring to compute with.
        ///
        /// - Throws: the error of numbers that describe no spring.
        public func spring() throws(MotionError) -> Spring {
            try Spring(dampingRatio: dampingRatio, response: response, mass: mass)
        }
    }

    /// The times at which a spring is at rest.
    public struct Settling: Sendable, Equatable, Decodable {
        /// Seconds until the distance stays within `epsilon` of the travel; nil for a spring without damping.
        public let settlingTime: Double?
        /// The share of the travel within which the spring counts as settled.
        public let epsilon: Double
    }

    /// A spring in one convention.
    public struct Conversion: Sendable, Equatable, Decodable {
        /// Code to paste.
        public let snippet: String
        /// Whether the platform moves exactly like the spring.
        public let exact: Bool
    }
}

/// A spring's curve as CSS.
public struct LinearCurve: Sendable, Equatable, Decodable {
    /// The `linear()` function.
    public let css: String
    /// The number of its stops.
    public let stops: Int
    /// The measured error, as a share of the travel.
    public let maxError: Double
    /// The length of the animation, in seconds.
    public let duration: Double
    /// The `cubic-bezier()` for browsers without `linear()`.
    public let fallback: String
}

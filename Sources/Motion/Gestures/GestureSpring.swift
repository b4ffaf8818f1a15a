/// The spring that an interface answers a gesture with.
package struct GestureSpring: Sendable, Equatable {
    package let spring: Spring

    /// One of the article's springs: a ratio from 0 to 100 and a response in seconds above 0, both written in our code.
    init(ratio: Double, response: Double) {
        spring = Spring(ratio: ratio, frequency: 2 * .pi / response, mass: 1, response: response)
    }
}

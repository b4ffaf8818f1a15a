extension Spring {
    /// A damping ratio ζ: finite, not negative.
    package struct DampingRatio: Sendable, Hashable {
        package let value: Double

        /// - Throws: `MotionError.outOfRange` for a negative or non-finite number.
        package init(_ value: Double) throws(MotionError) {
            self.value = try ParameterRange.notNegative.checked(value, "dampingRatio")
        }

        private init(unchecked value: Double) {
            self.value = value
        }

        /// ζ = 1.
        package static let critical = DampingRatio(unchecked: 1)
    }

    /// A response, the period of the undamped spring: finite seconds above 0 with a finite frequency.
    package struct Response: Sendable, Hashable {
        package let seconds: Double

        /// - Throws: `MotionError.outOfRange` for anything else, including a period too short to have a square.
        package init(_ seconds: Double) throws(MotionError) {
            self.seconds = try ParameterRange(1e-100...1e100).checked(seconds, "response")
        }
    }

    /// A mass: finite, above 0.
    package struct Mass: Sendable, Hashable {
        package let value: Double

        /// - Throws: `MotionError.outOfRange` for anything else.
        package init(_ value: Double) throws(MotionError) {
            self.value = try ParameterRange(1e-100...1e100).checked(value, "mass")
        }

        private init(unchecked value: Double) {
            self.value = value
        }

        /// The mass of every convention that names none.
        package static let unit = Mass(unchecked: 1)
    }
}

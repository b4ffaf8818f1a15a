/// Why the motion part refuses what it was given.
package enum MotionError: Error, Sendable, Equatable {
    /// A number outside of what is allowed; `parameter` is the name it goes by in a request.
    case outOfRange(parameter: String, value: Double, allowed: ParameterRange)
    /// A parameter that a convention needs and did not get.
    case missingParameter(String, convention: String)
    /// A parameter that a convention does not have; `known` are those it has.
    case unknownParameter(String, convention: String, known: [String])
    /// A number where a flag stands, or a flag where a number stands.
    case wrongKind(parameter: String, expected: String)
    /// A convention that nobody knows, in the parameter `name`; `known` are those there are.
    case unknownConvention(String, known: [String], name: String = "convention")
    /// Parameters that belong to several conventions of different meaning, so that one has to be said in `name`.
    case ambiguousConvention(parameters: [String], candidates: [String], name: String = "convention")
    /// Parameters that no convention has together; which one is meant can be said in `name`.
    case noConvention(parameters: [String], name: String = "convention")
    /// Names of one and the same parameter, given together.
    case contradiction(parameters: [String])
    /// Allowed parameters without a finite spring behind them, such as a bounce of -1.
    case noSpring(parameter: String, reason: String)
    /// Parameters that lead to a spring out of `SpringRange`; never empty.
    case springOutOfRange([SpringRange.Finding])
    /// A curve that cannot be printed as asked, such as an undamped one that never ends.
    case noCurve(parameter: String, reason: String)
    /// Allowed parameters whose result is larger than what is answered, such as a velocity over next to no distance.
    case noNumber(parameter: String, reason: String)
}

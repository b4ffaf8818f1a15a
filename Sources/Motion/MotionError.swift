/// The errors of this module.
public enum MotionError: Error, Sendable, Equatable {
    /// A number out of its range; `parameter` is its name in the request.
    case outOfRange(parameter: String, value: Double, allowed: ParameterRange)
    /// A parameter that the convention requires is missing.
    case missingParameter(String, convention: String)
    /// A parameter that the convention does not have; `known` are its parameters.
    case unknownParameter(String, convention: String, known: [String])
    /// A number in place of a flag, or a flag in place of a number.
    case wrongKind(parameter: String, expected: String)
    /// An unknown convention in the parameter `name`; `known` are the ids of all conventions.
    case unknownConvention(String, known: [String], name: String = "convention")
    /// Parameters of several conventions with different meanings. The parameter `name` must choose one.
    case ambiguousConvention(parameters: [String], candidates: [String], name: String = "convention")
    /// Parameters that no convention has together. The parameter `name` can choose one.
    case noConvention(parameters: [String], name: String = "convention")
    /// Several names of one parameter, or several parameters that exclude each other.
    case contradiction(parameters: [String])
    /// Allowed parameters that describe no finite spring.
    case noSpring(parameter: String, reason: String)
    /// Parameters that lead to a spring out of `SpringRange`; never empty.
    case springOutOfRange([SpringRange.Finding])
    /// A curve that cannot be printed as requested, such as an undamped one, which never ends.
    case noCurve(parameter: String, reason: String)
    /// Allowed parameters whose result exceeds the range of answers, such as a velocity over nearly no distance.
    case noNumber(parameter: String, reason: String)
}

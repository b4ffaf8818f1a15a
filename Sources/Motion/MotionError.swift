/// The errors of this module.
public enum MotionError: Error, Sendable, Equatable {
    /// A number out of its range; `parameter` is its name in the request.
    case outOfRange(parameter: String, value: Double, allowed: ParameterRange)
    /// A parameter that the convention requires is missing.
    case missingParameter(String, convention: String)
    /// A parameter that the convention does not have; `known` are its parameters.
    case unknownParameter(String, convention: String, known: [String])
    /// An unknown convention; `known` are the ids of all conventions.
    case unknownConvention(String, known: [String])
    /// Parameters of several conventions with different meanings.
    case ambiguousConvention(parameters: [String], candidates: [String])
    /// Parameters that no convention has together.
    case noConvention(parameters: [String])
    /// Several names of one parameter, or several parameters that exclude each other.
    case contradiction(parameters: [String])
    /// Parameters that lead to a spring out of `SpringRange`; never empty.
    case springOutOfRange([SpringRange.Finding])
    /// An allowed number without a result: no finite spring, no curve that can be printed, or a velocity that is too high.
    case refused(parameter: String, reason: String)
}

import HTTPExchange
import Motion

/// The answer of `GET /v1/springs/plot.svg`: one curve, or two over each other.
struct PlotAnswer {
    /// The names that may stand in a query: those of the spring, and of a second one.
    static let names = SpringQuery.plainNames + SpringQuery.names(prefix: "b.")

    let canonical: String
    private let springs: [SpringQuery]

    /// - Throws: `Problem` for what is missing, malformed, contradictory or out of range, in all springs.
    init(_ query: Query) throws {
        let hasSecond = query.names.contains { $0.hasPrefix("b.") }
        springs = try SpringQuery.several(query, prefixes: hasSecond ? ["", "b."] : [""])
        canonical = "plot?" + springs.map(\.canonical).joined(separator: "|")
    }

    var bytes: [UInt8] {
        let curves = springs.map { SpringPlot.Curve(curve: $0.curve, epsilon: $0.epsilon) }
        return Array(SpringPlot(curves: curves).svg.utf8)
    }
}

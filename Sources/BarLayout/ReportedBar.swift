/// The part of a bar that the service reports in each response; the rest of a session follows from the events.
public struct ReportedBar: Sendable, Equatable {
    /// The negative height of the bar, in points.
    public let offset: Double
    /// Whether the bar may expand.
    public let isExpandedStateAvailable: Bool
    /// The `id` of the attached view.
    public let scrollableID: String
    /// The top inset of the attached view, in points.
    public let contentInsetTop: Double
    /// The bottom inset of the attached view, in points.
    public let contentInsetBottom: Double

    /// A bar with an offset and insets within ±1e12, which a bar may compute; throws `outOfRange`, or `length` for the `id`.
    public init(
        offset: Double,
        isExpandedStateAvailable: Bool,
        scrollableID: String,
        contentInsetTop: Double,
        contentInsetBottom: Double
    ) throws(BarLayoutError) {
        let limit = Coordinate.computedLimit
        self.offset = try Coordinate.checked(offset, "offset", limit: limit)
        self.isExpandedStateAvailable = isExpandedStateAvailable
        guard scrollableID.hasLength(upTo: Scrollable.idLimit) else { throw .length("id", limit: Scrollable.idLimit) }
        self.scrollableID = scrollableID
        self.contentInsetTop = try Coordinate.checked(contentInsetTop, "top", limit: limit)
        self.contentInsetBottom = try Coordinate.checked(contentInsetBottom, "bottom", limit: limit)
    }

    /// The report of a session.
    public init(_ session: BarSession) {
        offset = session.state.offset
        isExpandedStateAvailable = session.state.isExpandedStateAvailable
        scrollableID = session.scrollable.id
        contentInsetTop = session.scrollable.geometry.contentInset.top
        contentInsetBottom = session.scrollable.geometry.contentInset.bottom
    }
}

extension BarSession {
    /// Adopts the values of a report, and keeps all others.
    public mutating func adopt(_ report: ReportedBar) {
        state.offset = report.offset
        state.isExpandedStateAvailable = report.isExpandedStateAvailable
        snapshot.scrollable = Scrollable(nearestID: report.scrollableID, geometry: geometry)
        geometry.contentInset.top = report.contentInsetTop
        geometry.contentInset.bottom = report.contentInsetBottom
    }
}

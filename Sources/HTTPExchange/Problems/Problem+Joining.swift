import HTTPTypes

extension Problem {
    /// Several things that are wrong with one request, as one answer; nil when there is none.
    ///
    /// The kind is that of the problem with the lowest status: what cannot be read (400) comes before what is not
    /// allowed (422). The details stand one after the other, as do the faults.
    package init?(joining problems: [Problem]) {
        guard var joined = problems.min(by: { $0.status.code < $1.status.code }) else { return nil }
        joined.detail = problems.map(\.detail).joined(separator: " ")
        joined.errors = problems.flatMap(\.errors)
        self = joined
    }
}

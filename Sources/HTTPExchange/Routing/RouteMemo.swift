import HTTPTypes
import Synchronization

/// What a router found for a target that is asked for again and again.
///
/// A client of a bar sends one event after the other to one place, and a server keeps its connection's last target. So
/// the walk through the trie and the decoded parameters are those of the first request. One finding is held, the last:
/// whoever asks with another method than the one before, or another router, walks.
final class RouteMemo: Sendable {
    private struct Finding: Sendable {
        let match: RouteMatch
        let method: HTTPRequest.Method
        let router: Router.Identity
    }

    private let finding = Mutex<Finding?>(nil)

    /// The finding for this method by this router, if it is the one that is held.
    func match(for method: HTTPRequest.Method, by router: Router.Identity) -> RouteMatch? {
        finding.withLock { finding in
            guard let finding, finding.router === router, finding.method == method else { return nil }
            return finding.match
        }
    }

    /// Holds a finding in place of the one before.
    func hold(_ match: RouteMatch, for method: HTTPRequest.Method, by router: Router.Identity) {
        let new = Finding(match: match, method: method, router: router)
        finding.withLock { $0 = new }
    }
}

extension Router {
    /// Tells a table from others.
    final class Identity: Sendable {}
}

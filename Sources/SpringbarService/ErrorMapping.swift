package import HTTPExchange
import JSON
import Motion
import PhotoFeed

extension Problem {
    /// Words an error of the domain, or gives nil for one that nobody foresaw.
    ///
    /// This is the one place where errors meet HTTP.
    init?(of error: any Error) {
        switch error {
        case let error as JSONError: self.init(json: error)
        case let error as BarSessionError: self.init(error)
        case let error as MotionError: self.init(error)
        case let error as UpstreamError: self.init(error)
        default: return nil
        }
    }
}

extension ProblemCatalogue {
    /// Every kind of problem that this service answers with.
    package static let service = ProblemCatalogue(
        own: Problem.Kind.bars + Problem.Kind.motion + Problem.Kind.photos
    )
}

import BarFeature
package import HTTPExchange
import JSON
import Motion
import MotionFeature
import PhotoFeature
import PhotoFeed
import Primitives
import SharedState

extension Problem {
    /// Converts an error of a module to a problem, as all errors are converted here; nil for an unknown error.
    init?(of error: any Error) {
        switch error {
        case let error as JSONError: self.init(json: error)
        case let error as BarSessionError: self.init(error)
        // The bytes of a bar in a store.
        case is StoredBytesError: self.init(BarSessionError.unavailable)
        case let error as MotionError: self.init(error)
        case let error as UpstreamError: self.init(error)
        default: return nil
        }
    }
}

extension Problem.Kind {
    /// All kinds of problems of this service, the generic ones first.
    package static let service = generic + bars + motion + photos
}

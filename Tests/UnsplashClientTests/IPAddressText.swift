import Glibc

@testable import UnsplashClient

extension IPAddress {
    /// Reads an address as people write it.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self = .v4(withUnsafeBytes(of: &four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self = .v6(withUnsafeBytes(of: &six) { Array($0) })
        } else {
            return nil
        }
    }
}

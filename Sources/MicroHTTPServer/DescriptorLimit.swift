import Glibc

/// How many files, sockets among them, this process may have open (getrlimit(2), RLIMIT_NOFILE).
///
/// The soft limit is 1024 on many systems, for the sake of programs that use select(2): neither we nor the library do.
/// The hard limit is what an administrator meant.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one and gives what holds then.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(clamping: soft) }
        return Int(clamping: limit.rlim_max)
    }

    /// The connections that so many descriptors allow, of those wanted; at least one.
    ///
    /// One descriptor a connection; the rest is for what the process opens besides: its polls, the upstream's
    /// connections, both ends of those to the sandbox library.
    package static func connections(wanted: Int, descriptors: Int) -> Int {
        max(1, min(wanted, descriptors - descriptorsForTheRest))
    }

    /// Whether a connection with this descriptor leaves some descriptors above it to the rest of the process.
    ///
    /// The system gives the lowest number that is free, so a high one says that few are left. The limit is read each
    /// time, since prlimit(2) can lower it from outside.
    static func leavesSpare(above descriptor: Int32) -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return true }
        let descriptors = Int(clamping: limit.rlim_cur)
        return Int(descriptor) < descriptors - min(spare, descriptors / 4)
    }

    private static let spare = 16

    /// The fewest descriptors with which the service can answer: about 35 are its own, and `spare` are left free.
    package static let minimum = 64

    package static let descriptorsForTheRest = 128
}

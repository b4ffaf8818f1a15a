import Glibc

/// Resources of this process, as Linux reports them.
package struct ProcessUsage: Sendable, Equatable {
    package var residentBytes: Int
    /// CPU time since the start, user and system, in seconds.
    package var cpuSeconds: Double
    package var openDescriptors: Int

    /// The current values; 0 for values that the kernel does not report.
    package static var current: ProcessUsage {
        // The second number of statm (proc(5)) is that of resident pages.
        let pages = contents(of: "/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return ProcessUsage(
            residentBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))),
            cpuSeconds: cpuTime(),
            openDescriptors: entries(of: "/proc/self/fd")
        )
    }

    private static func cpuTime() -> Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
    }

    private static func entries(of directory: String) -> Int {
        guard let stream = opendir(directory) else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // `.`, `..` and the descriptor of the listing.
        return max(0, count - 3)
    }

    /// Returns the first 4 KiB of a file, more than the small files of the kernel have; empty if it cannot be read.
    static func contents(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(unsafeUninitializedCapacity: 4096) { max(0, read(descriptor, $0.baseAddress, 4096)) }
    }
}

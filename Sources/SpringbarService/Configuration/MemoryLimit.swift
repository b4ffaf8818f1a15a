/// The memory limit of the process: the smallest one of its control group and of all groups above it.
package enum MemoryLimit {
    /// The limit in bytes (cgroup v2 and v1); nil if there is none.
    package static var current: Int? { smallest(ProcessUsage.contents) }

    package static func smallest(_ contents: (_ path: String) -> String) -> Int? {
        let groups = contents("/proc/self/cgroup").split(separator: "\n")
        return groups.flatMap(files).compactMap { bytes(in: contents($0)) }.min()
    }

    /// Returns the files with the limits of a group and of the groups above it.
    ///
    /// A line of `/proc/self/cgroup` (cgroups(7)) is `0::/path` in version 2, and `9:memory:/path` in version 1.
    /// Without a namespace of its own, a container sees the path of the host, and has its group at the root.
    private static func files(ofGroup line: Substring) -> [String] {
        let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return [] }
        let (root, name): (String, String)
        if parts[0] == "0", parts[1].isEmpty {
            (root, name) = ("/sys/fs/cgroup", "memory.max")
        } else if parts[1].split(separator: ",").contains("memory") {
            (root, name) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        var group = root
        var files = ["\(group)/\(name)"]
        // The path begins with `..` if the group is outside of the namespace: its limits cannot be read.
        for segment in parts[2].split(separator: "/") {
            guard segment != ".." else { break }
            group += "/" + segment
            files.append("\(group)/\(name)")
        }
        return files
    }

    /// Returns the limit in a file: no limit is `max` in version 2, and a number near 2^63 in version 1.
    private static func bytes(in text: String) -> Int? {
        guard let bytes = Int(text.prefix { $0.isNumber }), bytes > 0, bytes < 1 << 50 else { return nil }
        return bytes
    }
}

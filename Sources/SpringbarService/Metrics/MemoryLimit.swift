/// How much memory the container allows this process, for caches that must fit.
package enum MemoryLimit {
    /// The limit in bytes; nil when there is none (cgroup v2 first, then v1).
    package static var current: Int? {
        ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
            .lazy
            .compactMap { bytes(in: ProcessUsage.contents(of: $0)) }
            .first
    }

    /// `max` and absurdly large numbers, which is how version 1 says it, mean no limit.
    static func bytes(in text: String) -> Int? {
        guard let bytes = Int(text.prefix { $0.isNumber }), bytes > 0, bytes < 1 << 50 else { return nil }
        return bytes
    }
}

import CMicroHTTPD

/// malloc(3) as a server needs it; the settings apply to the whole process.
public enum Allocator {
    /// Prepares the allocator, before other threads allocate memory.
    public static func prepare() {
        // The library copies answers into blocks of malloc(3), and large ones must go back to the system when they have been
        // sent. By default glibc raises this threshold to the largest block that was freed, up to 32 MiB. It keeps
        // smaller blocks: 90 MB after a few answers of 6.7 MB.
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        // One heap for all threads. By default each worker has its own, and none can use what another one has freed: values
        // that grew on changing workers took 1.5 times the memory that they are counted with, with two workers.
        mallopt(M_ARENA_MAX, 1)
    }
}

import SpringbarService
import Testing

@Suite("The memory limit")
struct MemoryLimitTests {
    @Test(
        "The limit is the smallest one of the process's group and of those above it",
        arguments: [
            // A container with a namespace: its group is the root.
            (["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "268435456\n"], 256),
            // systemd's MemoryMax of a service.
            (
                [
                    "/proc/self/cgroup": "0::/system.slice/springbar.service\n",
                    "/sys/fs/cgroup/system.slice/memory.max": "max\n",
                    "/sys/fs/cgroup/system.slice/springbar.service/memory.max": "134217728\n",
                ], 128
            ),
            // A limit of the slice above it.
            (
                [
                    "/proc/self/cgroup": "0::/a.slice/b.slice/c.service\n",
                    "/sys/fs/cgroup/a.slice/memory.max": "67108864\n",
                    "/sys/fs/cgroup/a.slice/b.slice/memory.max": "max\n",
                    "/sys/fs/cgroup/a.slice/b.slice/c.service/memory.max": "134217728\n",
                ], 64
            ),
            // Version 1, among other controllers.
            (
                [
                    "/proc/self/cgroup": "12:cpu,cpuacct:/x\n9:hugetlb,memory:/docker/f00\n1:name=systemd:/y\n",
                    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
                    "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes": "536870912\n",
                    "/sys/fs/cgroup/memory/docker/f00/memory.limit_in_bytes": "268435456\n",
                ], 256
            ),
            // A container of version 1 without a namespace: the path is the host's, the group is the root.
            (
                [
                    "/proc/self/cgroup": "9:memory:/docker/f00\n0::/docker/f00\n",
                    "/sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
                ], 256
            ),
            // A group outside of the namespace.
            (
                ["/proc/self/cgroup": "0::/../other\n", "/sys/fs/cgroup/memory.max": "268435456\n"], 256
            ),
            (["/proc/self/cgroup": "0::/a:b\n", "/sys/fs/cgroup/a:b/memory.max": "268435456\n"], 256),
        ] as [([String: String], Int)]
    )
    func smallest(files: [String: String], mebibytes: Int) {
        #expect(MemoryLimit.smallest { files[$0] ?? "" } == mebibytes << 20)
    }

    @Test(
        "Without a limit, or without control groups, there is none",
        arguments: [
            [:], ["/proc/self/cgroup": ""], ["/proc/self/cgroup": "nonsense\n0:\n"],
            ["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n"],
            ["/proc/self/cgroup": "0::/../a\n", "/sys/fs/cgroup/../a/memory.max": "1048576\n"],
            ["/proc/self/cgroup": "3:cpu:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1048576\n"],
        ]
    )
    func none(files: [String: String]) {
        #expect(MemoryLimit.smallest { files[$0] ?? "" } == nil)
    }
}

import Glibc
import Primitives
import Testing

@testable import RedisClient

@Suite("Sockets of connections")
struct LinkTests {
    /// The second `close` of a descriptor, which another thread may have got meanwhile, is an `EBADF` at best.
    @Test("A socket that cannot be connected is closed once")
    func closedOnce() throws {
        let address = try #require(SocketAddress(path: "/nowhere/redis.sock"))
        errno = 0
        let isRefused = (try? Link(to: address, nil, name: "")) == nil
        let code = errno
        #expect(isRefused && code != EBADF)
    }
}

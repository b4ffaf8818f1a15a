import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@Suite("The engines of the tests")
struct EngineTests {
    private func ask() throws {
        let service = try Service()
        #expect(service.isOnWire == [.wire, .nginx].contains(Engine.current))
        #expect((service.shared is FakeStore) == (Engine.current == .fakeStore))
        #expect((service.shared is RedisPart) == (Engine.current == .redis))
        let path = try service.bar()
        #expect(service.post(path + "/events", Bodies.offset(1)).number("/revision") == 1)
        let isBehindNginx =
            service.get("/healthz").fields[try #require(FieldName("Server"))]?.hasPrefix("nginx") == true
        #expect(isBehindNginx == (Engine.current == .nginx))
        #expect(service.head(path).status == .ok)
    }

    @Test("in process, with a fake store, and on the wire", .on(.process, .fakeStore, .wire))
    func always() throws { try ask() }

    @Test(
        "with Redis",
        .enabled(if: RedisServerProcess.isInstalled, "Redis is not installed: script/bootstrap installs redis-tools"),
        .on(.redis)
    )
    func redis() throws { try ask() }

    @Test(
        "behind nginx",
        .enabled(if: NginxProcess.isInstalled, "nginx is not installed: script/bootstrap installs nginx-light"),
        .on(.nginx)
    )
    func nginx() throws { try ask() }
}

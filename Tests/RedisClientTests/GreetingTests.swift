import Primitives
import RedisClient
import Testing

@Suite("Greeting of a server")
struct GreetingTests {
    private static let alone = RedisReply.string(
        Array("# Server\r\nredis_version:7.0.15\r\nx:y:z\r\nmaxmemory_policy:allkeys-lru\r\ncluster_enabled:0\r\n".utf8)
    )

    @Test(
        "The commands depend on the URL",
        arguments: [
            ("redis://h", ""), ("redis://h/2", "SELECT 2|"), ("redis://:p@h", "AUTH p|"),
            ("redis://u:p@h/2", "AUTH u p|SELECT 2|"),
        ]
    )
    func commands(url: String, beginning: String) throws {
        let lines = String(decoding: Greeting(try RedisURL(url)).bytes, as: UTF8.self).split(separator: "\r\n")
        var text = ""
        for line in lines where line.first != "$" {
            text += line.first == "*" ? (text.isEmpty ? "" : "|") : (text.isEmpty || text.last == "|" ? "" : " ") + line
        }
        #expect(text == beginning + "CLIENT SETNAME springbar|INFO")
    }

    @Test("A greeting is done after its last reply")
    func done() throws {
        var greeting = Greeting(try RedisURL("redis://u:p@h/2"))
        for _ in 0..<3 { #expect(try !greeting.take(.status("OK"))) }
        #expect(try greeting.take(Self.alone))
        #expect(greeting.facts.evictionPolicy == "allkeys-lru")
        #expect(throws: ConnectionFailure.malformed("a reply without a command")) { try greeting.take(.status("OK")) }
    }

    private static func fault(_ text: String) -> RedisFault { RedisFault(text) }

    @Test(
        "A refused greeting has its reason",
        arguments: [
            ([.error(fault("WRONGPASS x"))], .credentials(fault("WRONGPASS"))),
            ([.error(fault("ERR AUTH without password"))], .credentials(fault("ERR"))),
            ([.status("OK"), .error(fault("ERR DB index"))], .database(fault("ERR DB index"))),
            ([.status("OK"), .error(fault("NOPERM select"))], .permission(fault("NOPERM select"))),
            ([.status("OK"), .status("OK"), .error(fault("NOAUTH x"))], .credentials(fault("NOAUTH x"))),
            (
                [.status("OK"), .status("OK"), .error(fault("NOPERM x")), .error(fault("NOPERM y"))],
                .permission(fault("NOPERM y"))
            ),
            (
                [.status("OK"), .status("OK"), .error(fault("ERR x")), .string(Array("redis_version:6.2.1".utf8))],
                .version("6.2.1")
            ),
            ([.status("OK"), .status("OK"), .status("OK"), .string([])], .malformed("INFO has no version")),
            ([.status("OK"), .status("OK"), .status("OK"), .integer(1)], .malformed("INFO has no version")),
            ([.error(fault("LOADING x"))], .notReady(fault("LOADING"))),
            ([.error(fault("DENIED x"))], .refused(fault("DENIED"))),
            (
                [.error(fault("ERR max number of clients reached"))],
                .refused(fault("ERR max number of clients reached"))
            ),
            (
                [.error(fault("ERR max number of clients + cluster connections reached"))],
                .refused(fault("ERR max number of clients + cluster connections reached"))
            ),
            (
                [.status("OK"), .error(fault("ERR max number of clients reached"))],
                .refused(fault("ERR max number of clients reached"))
            ),
            (
                [.status("OK"), .status("OK"), .error(fault("ERR max number of clients reached"))],
                .refused(fault("ERR max number of clients reached"))
            ),
            ([.null], .malformed("a reply is not OK")),
        ] as [([RedisReply], ConnectionFailure)]
    )
    func refused(replies: [RedisReply], failure: ConnectionFailure) throws {
        var greeting = Greeting(try RedisURL("redis://u:p@h/2"))
        for reply in replies.dropLast() { #expect(try !greeting.take(reply)) }
        let last = try #require(replies.last)
        #expect(throws: failure) { try greeting.take(last) }
        #expect(!failure.description.isEmpty)
    }

    @Test("Several addresses need a cluster", arguments: [false, true], [false, true])
    func cluster(isCluster: Bool, needsCluster: Bool) throws {
        var greeting = Greeting(try RedisURL("redis://h"), needsCluster: needsCluster)
        #expect(try !greeting.take(.status("OK")))
        let information = "redis_version:8.0.1\r\ncluster_enabled:\(isCluster ? 1 : 0)\r\n"
        let last = Result { () throws(ConnectionFailure) in try greeting.take(.string(Array(information.utf8))) }
        #expect(last == (needsCluster && !isCluster ? .failure(.notACluster) : .success(true)))
        #expect(greeting.facts.isCluster == isCluster)
    }
}

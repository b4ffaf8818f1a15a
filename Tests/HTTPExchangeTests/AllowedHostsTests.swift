import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct AllowedHostsTests {
    @Test(
        "local names, addresses and the hosts of the list are answered, others are 421 with the hint",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("LOCALHOST", true), ("127.0.0.1:8080", true),
            ("127.1.2.3", true), ("[::1]:8080", true), ("192.0.2.1", true), ("app.localhost:3000", true),
            ("localhost.", true), ("springbar", true), ("springbar:80", true), ("app.example:8080", true),
            ("APP.example", true), ("app.example.", true), (nil, true),
            ("evil.example", false), ("evil.example:8080", false), ("127.0.0.1.evil.example", false),
            ("localhost.evil.example", false), ("localhostevil.example", false), ("sub.app.example", false),
            ("app.example.evil.example", false),
        ] as [(String?, Bool)]
    )
    func host(field: String?, isAllowed: Bool) async throws {
        let hosts = AllowedHosts(["app.example"], hint: "Use a setting.")
        var asked = request(.get, "/")
        asked.fields[.host] = field
        let response = try await Application([.get("/", access: .operation, saying("ok"))], [hosts]).response(to: asked)
        #expect(response.status.code == (isAllowed ? 200 : 421))
        #expect(response.problemCode == (isAllowed ? nil : "misdirected-request"))
        #expect(response.text?.contains("is not a host of this service. Use a setting.") == !isAllowed)
    }
}

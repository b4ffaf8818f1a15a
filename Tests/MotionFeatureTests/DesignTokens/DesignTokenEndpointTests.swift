import HTTPExchange
import HTTPTypes
import MotionFeature
import Primitives
import ServiceHarness
import Testing

@Suite("Endpoints of design tokens")
struct DesignTokenEndpointTests {
    private static let file = """
        {"motion": {"sheet": {"$type": "spring", "$value": {"dampingRatio": 0.8, "response": 0.3}},
                    "fast": {"$type": "duration", "$value": "200ms"},
                    "card": {"$type": "spring", "$value": {"convention": "swiftui.physical", "stiffness": 100,
                                                           "damping": 30, "allowOverDamping": true}}},
         "brand": {"card": {"$type": "spring", "$value": {"convention": "motion", "visualDuration": 0.5}}}}
        """

    private func service(_ text: String = file) throws -> Service {
        let service = try Service()
        service.motion.designTokens.replace(with: try DesignTokens(Array(text.utf8)))
        return service
    }

    @Test("the list of the service's file is made once, and again for another file")
    func list() async throws {
        let service = try service()
        func content() async throws -> SharedBytes? {
            let request = Request(method: .get, target: Target("/v1/design-tokens"))
            guard case .shared(let bytes, _) = try await service.respond(to: request).content else { return nil }
            return bytes
        }
        let first = try #require(try await content())
        #expect(try await content() === first)
        service.motion.designTokens.replace(with: try DesignTokens(Array("{}".utf8)))
        #expect(try await content() !== first)
        #expect(service.get("/v1/design-tokens").text == #"{"designTokens":[]}"#)
    }

    @Test("POST returns the source file of the platform")
    func source() throws {
        let service = try Service()
        for platform in DesignTokens.Platform.allCases {
            let answer = service.post("/v1/design-tokens?platform=\(platform)", Self.file)
            #expect(answer.status == 200)
            #expect(try answer.text == DesignTokens(Array(Self.file.utf8)).source(for: platform))
            #expect(answer.fields[.contentType] == "text/plain; charset=utf-8")
            #expect(answer.fields[.contentDisposition] == "inline; filename=\"\(platform.fileName)\"")
        }
    }

    @Test(
        "POST refuses faults with their places",
        arguments: [
            ("", file, 400, ["platform"]), ("?platform=uikit", file, 422, ["platform"]),
            ("?platform=css&file=a", file, 400, ["file"]), ("?platform=css", "{", 400, [""]),
            ("?platform=css", #"{"a": {"$value": 1}}"#, 422, ["/a/$value"]),
            // Two names that Swift takes for one text.
            (
                "?platform=css",
                "{\"a\":{\"$type\":\"spring\",\"$value\":{\"convention\":\"wwdc\",\"\u{e9}\":1,\"e\u{301}\":1}}}", 422,
                ["/a/$value"]
            ),
        ]
    )
    func faults(query: String, content: String, status: Int, faults: [String]) throws {
        let answer = try Service().post("/v1/design-tokens\(query)", content)
        #expect(answer.status.code == status && answer.faults == faults, "\(answer.text)")
    }

    @Test("Without a file the list is empty, and each name is 404 or 422, with the setting in the detail")
    func none() throws {
        let service = try Service()
        #expect(service.get("/v1/design-tokens").text == #"{"designTokens":[]}"#)
        let missing = service.get("/v1/design-tokens/sheet")
        #expect(missing.status == 404 && missing.text.contains("SPRINGBAR_DESIGN_TOKENS"))
        let unknown = service.get("/v1/springs?designToken=sheet")
        #expect(unknown.status == 422 && unknown.faults == ["designToken"])
        #expect(unknown.text.contains("SPRINGBAR_DESIGN_TOKENS"))
    }

    @Test("The list and each spring have an ETag, and are revalidated")
    func tags() throws {
        let service = try service()
        let tokens = try DesignTokens(Array(Self.file.utf8))
        let text = try tokens.source(for: .json)
        #expect(service.get("/v1/design-tokens").text + "\n" == text)
        for target in ["/v1/design-tokens", "/v1/design-tokens/motion.sheet", "/v1/springs?designToken=sheet"] {
            let answer = service.get(target)
            #expect(answer.status == 200 && answer.fields[.cacheControl] == "no-cache")
            let tag = try #require(answer.fields[.eTag])
            #expect(service.get(target, [.ifNoneMatch: tag]).status == 304)
            service.motion.designTokens.replace(with: try DesignTokens(Array(Self.file.utf8)))
            #expect(service.get(target, [.ifNoneMatch: tag]).status == 304)
            let other = Self.file.replacing("0.8", with: "0.7")
            service.motion.designTokens.replace(with: try DesignTokens(Array(other.utf8)))
            #expect(service.get(target, [.ifNoneMatch: tag]).status == 200)
            service.motion.designTokens.replace(with: try DesignTokens(Array(Self.file.utf8)))
        }
        let constant = service.get("/v1/springs?dampingRatio=0.8&response=0.3")
        #expect(constant.fields[.cacheControl] == "public, max-age=2592000")
    }

    @Test("A spring of the file answers as its parameters do")
    func springs() throws {
        let service = try service()
        let sheet = service.get("/v1/springs?convention=wwdc&dampingRatio=0.8&response=0.3")
        #expect(service.get("/v1/design-tokens/sheet").bytes == sheet.bytes)
        #expect(service.get("/v1/design-tokens/motion.sheet").bytes == sheet.bytes)
        #expect(service.get("/v1/springs?designToken=sheet").bytes == sheet.bytes)
        let physical = "convention=swiftui.physical&stiffness=100&damping=30&allowOverDamping=true"
        let card = service.get("/v1/springs?\(physical)")
        #expect(service.get("/v1/springs?designToken=motion.card").bytes == card.bytes)
    }

    @Test(
        "Every operation reads the name of a design token",
        arguments: [
            "springs", "springs/curve?fps=10", "springs/linear?maxError=0.1", "springs/presets", "springs/plot.svg",
            "springs/plot.png", "springs/retarget?target=1&time=0.1&newTarget=2",
        ]
    )
    func operations(operation: String) throws {
        let service = try service()
        let target = "/v1/\(operation)\(operation.contains("?") ? "&" : "?")"
        let answer = service.get("\(target)designToken=sheet")
        #expect(answer.status == 200)
        #expect(answer.bytes == (service.get("\(target)convention=wwdc&dampingRatio=0.8&response=0.3")).bytes)
    }

    @Test("Two springs of one query may both be design tokens")
    func prefixes() throws {
        let service = try service()
        let answer = service.get("/v1/springs/compare?a.designToken=sheet&b.designToken=brand.card")
        let other = "a.dampingRatio=0.8&a.response=0.3&b.convention=motion.visualDurationBounce&b.visualDuration=0.5"
        #expect(answer.status == 200)
        #expect(answer.bytes == (service.get("/v1/springs/compare?\(other)")).bytes)
        let unknown = service.get("/v1/springs/compare?a.designToken=sheet&b.designToken=none")
        #expect(unknown.status == 422 && unknown.faults == ["b.designToken"])
    }

    @Test(
        "A name that is no spring, or not the only one, is refused with the names",
        arguments: [
            ("none", "must be one of `motion.sheet`, `motion.card`, `brand.card`"),
            ("fast", "must be one of `motion.sheet`, `motion.card`, `brand.card`"),
            ("card", "must be one of `motion.card`, `brand.card`"),
            ("heet", "must be one of `motion.sheet`, `motion.card`, `brand.card`"),
        ]
    )
    func names(name: String, rule: String) throws {
        let query = try service().get("/v1/springs?designToken=\(name)")
        #expect(query.status == 422 && query.faults == ["designToken"] && query.text.contains(rule), "\(query.text)")
        let path = try service().get("/v1/design-tokens/\(name)")
        #expect(path.status == 404 && path.text.contains(rule), "\(path.text)")
    }

    @Test("Another parameter of the spring beside the design token is refused")
    func contradictions() throws {
        let service = try service()
        for (query, fault) in [
            ("response=1", "response"), ("convention=wwdc", "convention"), ("stiffness=1", "stiffness"),
        ] {
            let answer = service.get("/v1/springs?designToken=sheet&\(query)")
            #expect(answer.status == 400 && answer.faults == [fault], "\(answer.text)")
        }
        #expect(service.get("/v1/springs?designToken=").status == 400)
        #expect(service.get("/v1/springs?designToken=sheet&initialVelocity=2").number("initialVelocity") == 2)
    }
}

import HTTPTypes
import Primitives

@testable import HTTPExchange

private let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .options, .head]
private let names = ["a", "b", "c", "d", "e", "f"]

/// Parses the target of a request line, finds its route, and calls every getter of its query.
@Sendable
func fuzzRequestTarget(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let method = input.choice(methods)
    let raw = String(decoding: input.rest(), as: UTF8.self)
    let target = Target(raw)
    require(target.path == "*" || !target.path.isEmpty, "the path is empty")
    require(!target.path.utf8.contains(UInt8(ascii: "?")), "the path has a query")
    if let query = target.query {
        let end = raw.utf8.suffix(query.utf8.count)
        require(end.elementsEqual(query.utf8), "the query is not the end of the target")
    }

    let match = Service.router.match(method, target)
    if case .found(let route) = match.outcome {
        require(route.method == method || method == .head && route.method == .get, "the route has another method")
        for name in ["id", "slug", "variant", "code", "name", "file"] {
            guard let value = match.parameters[name] else { continue }
            require(!value.isEmpty, "an empty segment was captured")
            require(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character was captured")
            require(PercentEncoding.decode(Substring(PercentEncoding.encode(value))) == value, "no round trip")
        }
    }
    fuzzQuery(target)
}

private func fuzzQuery(_ target: Target) {
    do throws(Problem) {
        let query = try Query(target, allowing: names)
        require(Set(query.names).count == query.names.count, "a repeated name is accepted")
        require(query.names.allSatisfy(names.contains), "an unknown name is accepted")
        refusing(target) { () throws(Problem) in
            if let number = try query.double("a") { require(number.isFinite, "\(number) is accepted") }
        }
        refusing(target) { () throws(Problem) in
            if let number = try query.double("b", in: -1...1) { require(abs(number) <= 1, "out of range") }
        }
        refusing(target) { () throws(Problem) in
            if let number = try query.integer("c", in: 1...100) { require(1...100 ~= number, "out of range") }
        }
        refusing(target) { () throws(Problem) in
            if let numbers = try query.doubles("d", atMost: 4) {
                require(1...4 ~= numbers.count && numbers.allSatisfy(\.isFinite), "\(numbers) are accepted")
            }
        }
        refusing(target) { () throws(Problem) in
            if let list = try query.list("e", atMost: 4) {
                require(1...4 ~= list.count && !list.contains(""), "\(list) is accepted")
            }
        }
        refusing(target) { () throws(Problem) in _ = try query.bool("f") }
        for name in query.names {
            refusing(target) { () throws(Problem) in
                if let text = try query.string(name) { require(!text.isEmpty, "an empty text is accepted") }
            }
        }
    } catch {
        check(error, target)
    }
}

private func refusing(_ target: Target, _ body: () throws(Problem) -> Void) {
    do throws(Problem) { try body() } catch { check(error, target) }
}

/// Checks that a query is refused with 400 or 422, and that the detail does not grow faster than the query.
private func check(_ problem: Problem, _ target: Target) {
    require(problem.status == .badRequest || problem.status.code == 422, "refused with \(problem.status.code)")
    let limit = 16_384 + 3 * target.raw.utf8.count
    require(
        problem.detail.utf8.count < limit,
        "\(problem.detail.utf8.count) bytes of detail: \(problem.detail.prefix(200))"
    )
}

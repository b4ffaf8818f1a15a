import JSON
import Motion
import SpringConventions

extension DesignTokens {
    /// Returns the source file of a platform; a file of design tokens always has the same one.
    ///
    /// - Throws: `JSONError` for a name that code cannot have, for two design tokens that would have one name, for a
    ///   spring without a CSS easing, for a source that is too long, and for one that takes too long.
    package func source(for platform: Platform) throws -> String {
        guard let language = platform.language else { return String(decoding: json, as: UTF8.self) + "\n" }
        let isCSS = platform == .css
        func comment(_ text: String) -> String {
            let line = text.unicodeScalars.map { Character($0).isNewline ? " " : $0 }
            // By scalars: a character may be more than its slash.
            let code = isCSS ? line.replacing(["*", "/"], with: ["*", " ", "/"]) : line
            return "\(isCSS ? "/*" : "//") \(String(String.UnicodeScalarView(code)))\(isCSS ? " */" : "")\n"
        }
        let omission = omitted == 0 ? "" : ", without \(omitted) of other types"
        let header = [
            "Made by Springbar from \(all.count) design tokens\(omission). The hash of their file is \(hash).",
            "An error is the largest distance from the spring to what is drawn, as a share of the travel.",
        ]
        var source = header.map(comment).joined() + language.opening + "\n"
        let indent = language.opening.isEmpty ? "" : "    "
        let convention = Conventions.all.first { $0.id == language.convention }
        let declarations = language.declarations.split(separator: "\n")
        // The distance of one to what is drawn takes up to 3 ms, so a file of 1000 would take longer than a request may.
        let lightlyDamped = isCSS ? [] : all.filter(\.isLightlyDamped)
        if lightlyDamped.count > Self.maxLightlyDamped {
            let rule = "the file has more than \(Self.maxLightlyDamped) springs with a damping ratio below 0.01"
            throw lightlyDamped[Self.maxLightlyDamped].value.error("\(rule): split it, or raise dampings")
        }
        var owners: [String: String] = [:]
        for token in all {
            let name = try token.name(isKebab: isCSS)
            if let owner = owners.updateValue(token.path, forKey: name) {
                throw token.value.error("`\(owner)` and `\(token.path)` are both `\(name)` in code; rename one of them")
            }
            let (index, values, error) = try token.declaration(convention)
            let parts = declarations[index].split(separator: "#", omittingEmptySubsequences: false)
            let code = parts.enumerated().map { index, part in
                index.isMultiple(of: 2) ? String(part) : part == "name" ? name : values[String(part), default: ""]
            }
            source += indent + comment(token.path + error + (token.description.map { ": \($0)" } ?? ""))
            source += indent + code.joined() + "\n"
            // An easing of CSS has 0.3 kB, a lightly damped one 57 kB; others have a line for each design token.
            guard !isCSS || source.utf8.count <= 512 << 10 else {
                throw token.value.error("makes the CSS longer than 512 KiB: split the file, or raise dampings")
            }
        }
        return source + (indent.isEmpty ? "" : "}\n")
    }

    private static let maxLightlyDamped = 300

    var json: [UInt8] {
        JSONWriter.object { json in
            json.objects("designTokens", all) { json, token in
                json.member("name", token.path)
                json.member("description", token.description)
                switch token.meaning {
                case .spring(let convention, let parameters, let spring):
                    json.member("type", "spring")
                    json.member("convention", convention.id)
                    json.parameters(parameters)
                    json.spring("spring", spring)
                case .cubicBezier(let numbers):
                    json.member("type", "cubicBezier")
                    json.member("cubicBezier", numbers)
                case .duration(let seconds):
                    json.member("type", "duration")
                    json.member("duration", seconds)
                }
            }
        }
    }
}

extension DesignTokens.DesignToken {
    fileprivate var isLightlyDamped: Bool {
        if case .spring(_, _, let spring) = meaning { spring.dampingRatio < 0.01 } else { false }
    }

    /// Returns the index of a declaration, the numbers in it as text, and the error of a spring.
    fileprivate func declaration(_ convention: Convention?) throws -> (index: Int, [String: String], error: String) {
        switch meaning {
        case .spring(_, _, let spring):
            let curve = SpringCurve(spring)
            guard let convention else {
                do {
                    let fit = try LinearEasing.along(curve, maxError: LinearQuery.maxError)
                    let values = ["ms": (fit.duration * 1000).snippet, "linear": fit.easing.css]
                    return (0, values, ", error \(fit.error.short)")
                } catch {
                    throw value.error("settles too slowly for a CSS easing; raise its damping")
                }
            }
            let writing = convention.write(curve)
            // Rounding is no error.
            let distance = writing.drawn?.distance(from: curve).maximum
            let error = distance.map { ", error \($0 < 1e-9 ? "0" : $0.short)" } ?? ", not drawn"
            let reasons = writing.warnings.isEmpty ? "" : " (\(writing.warnings.map(\.code).joined(separator: ", ")))"
            return (0, writing.parameters.reduce(into: [:]) { $0[$1.name] = $1.value.snippet }, error + reasons)
        case .cubicBezier(let points):
            return (1, Dictionary(uniqueKeysWithValues: zip(["x1", "y1", "x2", "y2"], points.map(\.snippet))), "")
        case .duration(let seconds):
            let (ms, us) = (seconds * 1000, (seconds * 1e6).rounded())
            return (2, ["s": seconds.snippet, "ms": ms.snippet, "wholeMs": ms.rounded().plain, "us": us.plain], "")
        }
    }

    /// Returns the name in code: the words of the path, and another one if it might be a keyword.
    fileprivate func name(isKebab: Bool) throws -> String {
        var words: [String] = []
        var (isInWord, isAfterCapital) = (false, false)
        let scalars = Array(path.unicodeScalars)
        for (scalar, next) in zip(scalars, scalars.dropFirst() + ["."]) {
            let isCapital = "A"..."Z" ~= scalar
            let isWord = isCapital || "a"..."z" ~= scalar || "0"..."9" ~= scalar
            // The last capital of several begins a word if small letters follow: `ABTest` is `AB` and `Test`.
            let isFirst = !isInWord || isCapital && (!isAfterCapital || "a"..."z" ~= next)
            if isWord, isFirst { words.append("") }
            if isWord { words[words.count - 1] += String(scalar).lowercased() }
            (isInWord, isAfterCapital) = (isWord, isCapital)
        }
        guard !words.isEmpty else { throw value.error("must have a letter or digit of ASCII in its name") }
        if isKebab { return words.joined(separator: "-") }
        func camel(_ words: [String]) -> String {
            words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }
        // Members of every class in Kotlin and Dart.
        let isMember = ["hashCode", "toString", "noSuchMethod", "runtimeType"].contains(camel(words))
        return camel(words.count == 1 || isMember || words[0].first?.isNumber == true ? ["motion"] + words : words)
    }
}

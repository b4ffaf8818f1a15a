// swift-tools-version: 6.2

import PackageDescription

// The tests that script/test runs with AddressSanitizer and ThreadSanitizer. They are a package of their own, because
// SwiftPM builds all tests of a package: here only these and the modules that they test are instrumented.
//
// `Sources` and `Tests` are links to the folders of the service.

// As in ../Package.swift.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// A module of the service.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a module: all of them, or the suites of `files` with the files that they need.
func tests(_ name: String, _ dependencies: [Target.Dependency], only files: [String]? = nil) -> Target {
    .testTarget(
        name: name,
        dependencies: ["TestSupport", "Primitives"] + dependencies,
        sources: files.map { $0.map { "\($0).swift" } },
        swiftSettings: strict
    )
}

// Threads share bars and streams. ThreadSanitizer checks them, too.
let sharedState: [Target] = [
    module("BarLayout", ["Motion"]),
    module("Motion", ["Primitives", "CMathematics"]),
    module("BarFeature", ["Primitives", "BarLayout", "SharedState", "JSON", "HTTPExchange", httpTypes, logging]),
    tests(
        "HTTPExchangeTests",
        ["HTTPExchange", "JSON", httpTypes, logging],
        only: ["EventStreamTests", "StoredMatchTests", "Journal"]
    ),
    tests(
        "BarFeatureTests",
        ["BarFeature", "BarLayout", "SharedState", "RedisClient", "JSON", "HTTPExchange", httpTypes, logging],
        only: [
            "BarConcurrencyTests", "BarStreamTests", "BarAPI", "BarRetryStormTests", "BarStoreKind", "RealRedis",
            "SharedBarStoreTests",
        ]
    ),
]

let package = Package(
    name: "springbar-sanitizers",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMathematics"),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd"),
        .systemLibrary(name: "CHiredis"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
        module("Primitives", ["CEpoll"]),
        module("SharedState", ["Primitives"]),
        module("JSON", ["Primitives"]),
        module("HTTPExchange", ["Primitives", "JSON", httpTypes, logging]),
        module("MicroHTTPServer", ["Primitives", "HTTPExchange", "CMicroHTTPD", httpTypes, logging]),
        module("RedisClient", ["Primitives", "SharedState", "CHiredis", "COpenSSL", logging]),
        .target(
            name: "TestSupport",
            dependencies: ["Primitives", "SharedState"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("MicroHTTPServerTests", ["MicroHTTPServer", "HTTPExchange", httpTypes, logging]),
        tests("RedisClientTests", ["SharedState", "RedisClient", logging]),
    ] + (Context.environment["SANITIZER"] == "thread" ? sharedState : []),
    cxxLanguageStandard: .cxx17
)

// swift-tools-version: 6.2

import Foundation
import PackageDescription

// The settings of every Swift target in this package, including the tests.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A product of a package that only the service, its command and its tests need.
func external(_ name: String, _ package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Service"]))
}

let httpTypes = external("HTTPTypes", "swift-http-types")
let logging = external("Logging", "swift-log")

// The service needs Linux. Without its trait the packages above are not fetched: an app takes the libraries with
// `traits: []`, which a Mac does not need.
#if os(Linux)
let defaultTraits: Set<String> = ["Service"]
// All sources of Primitives. The libraries for apps need one of them; the others use Linux.
let portablePrimitives: [String]? = nil
#else
let defaultTraits: Set<String> = []
let portablePrimitives: [String]? = ["Int+Clamping.swift"]
#endif

/// A Swift target of this package.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

// Tests call optimised modules in a release build; optimising the tests, too, would take most of its time. The
// modules that others import are written in the same pass.
let unoptimised: [SwiftSetting] = [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
]

/// A test target.
///
/// `TestSupport` has the clients, generators and vector files that several test targets use.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: ["TestSupport"] + dependencies,
        swiftSettings: strict + unoptimised
    )
}

let package = Package(
    name: "springbar",
    // Those of the libraries: the service needs Linux.
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .executable(name: "springbar", targets: ["springbar"]),
        // For apps. Their targets have no flags that SwiftPM refuses in dependencies.
        .library(name: "SpringbarClient", targets: ["SpringbarClient"]),
        .library(name: "BarLayout", targets: ["BarLayout"]),
        .library(name: "Motion", targets: ["Motion"]),
    ],
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(name: "Service", description: "The service and its command, and the packages that they need."),
    ],
    dependencies: [
        // Exact versions, because no file locks them and a new warning would be an error. Dependabot raises them.
        // `traits: []` keeps FoundationEssentials out of the types.
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    ],
    targets: [
        // C: the system libraries, and the code that cannot be written in Swift.
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Without pkg-config: its file for hiredis has a flag that SwiftPM refuses with a warning.
        .systemLibrary(name: "CHiredis", providers: [.apt(["libhiredis-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMathematics"),
        .target(name: "CAssets"),
        // calloc(3) of the command; tests and sanitizers use their own.
        .target(name: "CAllocator"),

        // Code that several targets need and that the standard library does not have.
        .target(name: "Primitives", sources: portablePrimitives, swiftSettings: strict),
        // The codec of records in a store, of the logs of bars, and of commands to Redis.
        module("StoredBytes"),
        // Addresses, and a thread that waits for sockets.
        module("Network", ["Primitives", "CEpoll"]),

        // The domain: pure Swift, no Foundation, no clock, no I/O.
        module("BarLayout", ["Motion"]),
        module("Motion", ["Primitives", "CMathematics"]),
        // The parameters of the platforms, and curves as CSS: only the service has them.
        module("SpringConventions", ["Primitives", "Motion", "CMathematics"]),
        module("SharedState", ["Primitives"]),
        module("JSON", ["Primitives"]),
        module("HTTPExchange", ["Primitives", "Network", "JSON", httpTypes, logging]),
        // PNG, BlurHash, and the zlib stream below them. Optimised in debug builds too: it works pixel by pixel.
        .target(
            name: "PictureCoding",
            dependencies: ["Primitives", "CZlib"],
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),

        // The port to the photo library, and the one cache of its answers.
        module("PhotoLibrary", ["Primitives", "StoredBytes", "SharedState", "JSON", logging]),

        // The client for apps and its JSON: Foundation, and no C library.
        module("ClientJSON", ["BarLayout"]),
        module("SpringbarClient", ["ClientJSON", "BarLayout", "Motion"]),

        // The adapters. No other target imports the C libraries.
        module(
            "MicroHTTPServer",
            ["Primitives", "Network", "HTTPExchange", "CMicroHTTPD", httpTypes, logging]
        ),
        module("UnsplashClient", ["Primitives", "Network", "PhotoLibrary", "JSON", "CCurl", logging]),
        module(
            "RedisClient",
            ["Primitives", "StoredBytes", "Network", "SharedState", "CHiredis", "COpenSSL", logging]
        ),
        // Bars in a store that several replicas share.
        module(
            "SharedBars",
            ["Primitives", "StoredBytes", "BarLayout", "SharedState", "HTTPExchange", "BarFeature", logging]
        ),
        module("MessageAuthentication", ["COpenSSL"]),
        // Optimised in debug builds too: it draws pictures pixel by pixel, which takes a hundred times as long without.
        .target(
            name: "BuiltInLibrary",
            dependencies: ["Primitives", "PhotoLibrary", "JSON", "HTTPExchange", "PictureCoding", httpTypes],
            swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]
        ),

        // The features of the service. None imports another one.
        module(
            "BarFeature",
            ["Primitives", "StoredBytes", "BarLayout", "SharedState", "JSON", "HTTPExchange", httpTypes]
        ),
        module(
            "MotionFeature",
            ["Primitives", "Motion", "SpringConventions", "JSON", "HTTPExchange", "PictureCoding", httpTypes]
        ),
        module("Photos", ["Primitives", "PhotoLibrary", "JSON", "HTTPExchange", "PictureCoding", httpTypes]),

        // The service and its command.
        module(
            "SpringbarService",
            [
                "Primitives", "StoredBytes", "Network", "Motion", "SharedState", "JSON", "HTTPExchange",
                "PictureCoding", "BarFeature", "MotionFeature", "PhotoLibrary", "Photos", "CAssets", httpTypes, logging,
            ]
        ),
        .executableTarget(
            name: "springbar",
            dependencies: [
                "Primitives", "Network", "SpringbarService", "BarFeature", "MotionFeature", "PhotoLibrary", "Photos",
                "HTTPExchange", "MicroHTTPServer", "SharedState", "SharedBars", "UnsplashClient", "BuiltInLibrary",
                "RedisClient", "JSON", "MessageAuthentication", "CAllocator", logging,
            ],
            swiftSettings: strict,
            linkerSettings: [
                // The command runs without an installed Swift. The runtime has fifty thousand relative relocations:
                // 1.2 MB as a list, 40 kB packed. lld, which is part of Swift, packs them. glibc 2.36 and later reads
                // them; Debian 12 has 2.36.
                // No library looks up symbols of the program, and their names take 1.1 MB.
                .unsafeFlags(
                    [
                        "-static-stdlib", "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                        "-Xlinker", "--no-export-dynamic",
                    ],
                    .when(platforms: [.linux], configuration: .release)
                )
            ]
        ),
    ],
    cxxLanguageStandard: .cxx17
)

// The container is built from the sources alone.
if FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests") {
    package.targets += [
        .target(
            name: "TestSupport",
            dependencies: ["Primitives", "Network", "SharedState", logging],
            path: "Tests/TestSupport",
            swiftSettings: strict + unoptimised
        ),
        // The service in process, on the wire and behind nginx, for the tests of its features.
        .target(
            name: "ServiceHarness",
            dependencies: [
                "TestSupport", "Primitives", "Network", "SharedState", "RedisClient", "JSON", "HTTPExchange",
                "PictureCoding", "BarFeature", "SharedBars", "MotionFeature", "PhotoLibrary", "Photos",
                "SpringbarService", "MicroHTTPServer", httpTypes, logging,
            ],
            path: "Tests/ServiceHarness",
            swiftSettings: strict + unoptimised
        ),
        // The one fake of the photo library: in process, and as a command for suites in other languages.
        .target(
            name: "FakeLibrary",
            dependencies: [
                "Primitives", "BuiltInLibrary", "PictureCoding", "HTTPExchange", "MicroHTTPServer", httpTypes,
                logging,
            ],
            path: "Tests/FakeLibrary",
            exclude: ["Command"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "fake-library",
            dependencies: ["FakeLibrary"],
            path: "Tests/FakeLibrary/Command",
            swiftSettings: strict
        ),
        tests("ArchitectureTests"),
        tests("PrimitivesTests", ["Primitives"]),
        tests("StoredBytesTests", ["StoredBytes"]),
        tests("NetworkTests", ["Primitives", "Network"]),
        tests("BarLayoutTests", ["Primitives", "BarLayout"]),
        tests("MotionTests", ["Primitives", "Motion", "SpringConventions"]),
        // The client against the rules of the service, in process and as a command.
        .testTarget(
            name: "SpringbarClientTests",
            dependencies: [
                "ServiceHarness", "TestSupport", "SpringbarClient", "ClientJSON", "SpringbarService", "BarFeature",
                "BarLayout", "Motion", "Primitives", "HTTPExchange", httpTypes, logging,
            ],
            // Declarations of Apple's SDK, which a test compiles as modules of their own.
            exclude: ["StandIns"],
            swiftSettings: strict + unoptimised
        ),
        tests("PictureCodingTests", ["PictureCoding"]),
        tests("JSONTests", ["JSON"]),
        tests("HTTPExchangeTests", ["Primitives", "Network", "HTTPExchange", "JSON", httpTypes, logging]),
        tests(
            "MicroHTTPServerTests",
            ["Primitives", "Network", "MicroHTTPServer", "CMicroHTTPD", "HTTPExchange", httpTypes, logging]
        ),
        tests(
            "UnsplashClientTests",
            ["Primitives", "Network", "UnsplashClient", "PhotoLibrary", "PictureCoding", logging]
        ),
        tests("RedisClientTests", ["Primitives", "Network", "SharedState", "RedisClient", logging]),
        tests("MessageAuthenticationTests", ["MessageAuthentication"]),
        tests(
            "BuiltInLibraryTests",
            [
                "ServiceHarness", "Primitives", "BuiltInLibrary", "PhotoLibrary", "Photos", "JSON", "HTTPExchange",
                httpTypes,
            ]
        ),
        tests(
            "BarFeatureTests",
            [
                "ServiceHarness", "Primitives", "StoredBytes", "BarFeature", "SharedBars", "BarLayout", "SharedState",
                "RedisClient", "JSON", "HTTPExchange", httpTypes, logging,
            ]
        ),
        tests(
            "MotionFeatureTests",
            [
                "ServiceHarness", "Primitives", "MotionFeature", "Motion", "SpringConventions", "JSON", "HTTPExchange",
                httpTypes, logging,
            ]
        ),
        tests(
            "PhotosTests",
            [
                "ServiceHarness", "Primitives", "StoredBytes", "Network", "PhotoLibrary", "Photos", "BarFeature",
                "PictureCoding", "SharedState", "UnsplashClient", "FakeLibrary", "MicroHTTPServer",
                "MessageAuthentication", "JSON", "HTTPExchange", httpTypes, logging,
            ]
        ),
        tests(
            "SpringbarServiceTests",
            [
                "ServiceHarness", "Primitives", "SpringbarService", "BarFeature", "MotionFeature", "Photos",
                "SharedState", "MessageAuthentication", "JSON", "HTTPExchange", httpTypes, logging,
            ]
        ),
    ]
}

extension Package {
    /// Keeps only these targets and the products of their names.
    ///
    /// - Parameters:
    ///   - modules: The targets that are no tests.
    ///   - tests: The targets with tests or for them, with the files to compile; nil for all files.
    func build(only modules: Set<String>, tests: [String: [String]?]) {
        products.removeAll { !modules.contains($0.name) }
        targets.removeAll { !modules.contains($0.name) && tests[$0.name] == nil }
        let names = Set(targets.map(\.name))
        for target in targets {
            target.sources = (tests[target.name] ?? nil)?.map { "\($0).swift" } ?? target.sources
            target.dependencies.removeAll {
                if case .byNameItem(let name, _) = $0 { !names.contains(name) } else { false }
            }
        }
    }
}

// Other programs and tests of the same modules. Each has a scratch path of its own.
let build = Context.environment["SPRINGBAR_BUILD"]
switch build {
case "fuzz":
    // One program for all targets, because linking takes most of the time. `FUZZ_TARGET` selects the target.
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Primitives", "StoredBytes", "Network", "BarLayout", "Motion", "SpringConventions", "JSON",
                "HTTPExchange", "PictureCoding", "UnsplashClient", "SharedState", "RedisClient",
                "BarFeature", "MotionFeature", "PhotoLibrary", "Photos", "SpringbarService", httpTypes, logging,
            ],
            path: "Fuzz/Targets",
            swiftSettings: strict
        )
    )

case "benchmarks":
    package.dependencies.append(
        // `traits: []` leaves out the hooks into malloc and the Swift runtime, which slow down the code that they count.
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: [])
    )
    package.targets.append(
        .executableTarget(
            name: "Micro",
            dependencies: [
                "Primitives", "BarLayout", "Motion", "SpringConventions", "MotionFeature", "SpringbarClient", "JSON",
                "HTTPExchange", httpTypes, logging, .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Micro",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    )

// The tests that run under a sanitizer: the boundary to C, and for threads also the state that they share.
case "address", "thread":
    var modules: Set = [
        "CEpoll", "CMicroHTTPD", "CHiredis", "COpenSSL", "Primitives", "StoredBytes", "Network", "SharedState", "JSON",
        "HTTPExchange", "MicroHTTPServer", "RedisClient", "TestSupport",
    ]
    var tests: [String: [String]?] = ["MicroHTTPServerTests": nil, "RedisClientTests": nil]
    if build == "thread" {
        modules.formUnion([
            "CMathematics", "CZlib", "CAssets", "Motion", "SpringConventions", "BarLayout", "PictureCoding",
            "BarFeature", "SharedBars", "MotionFeature", "PhotoLibrary", "Photos", "SpringbarService", "ServiceHarness",
        ])
        tests["HTTPExchangeTests"] = ["EventStreamTests", "StoredMatchTests", "Journal"]
        tests["BarFeatureTests"] = [
            "BarConcurrencyTests", "BarStreamTests", "BarRetryStormTests", "SharedBarStoreTests", "Service+Time",
            "StoreOperations",
        ]
    }
    package.build(only: modules, tests: tests)

case nil:
    break

case let other?:
    fatalError("SPRINGBAR_BUILD is fuzz, benchmarks, address or thread, not \(other)")
}

// A Mac builds and tests the libraries for apps alone.
#if !os(Linux)
package.build(
    only: ["Primitives", "CMathematics", "Motion", "SpringConventions", "BarLayout", "ClientJSON", "SpringbarClient"],
    // What needs neither the service nor Linux.
    tests: [
        "TestSupport": ["Checkout", "Gate", "SeededGenerator", "VectorFile", "WaitUntil"],
        "BarLayoutTests": nil,
        "MotionTests": nil,
        "SpringbarClientTests": [
            "BarWatchTests", "ConnectionTests", "ExampleBar", "JSONTests", "PhotoPagerTests", "RandomBar",
            "RefusalTests", "ResponseCacheTests", "SessionMachine", "SessionVectorTests",
        ],
    ]
)
#endif

// swift-tools-version: 6.2

import PackageDescription

// The micro-benchmarks. They are a package of their own, so that building the service does not fetch their tools.
//
// A package cannot use the `package` declarations of another one, and all of Springbar's declarations are `package`.
// The modules are therefore built again as part of this package, from the same sources: `Modules` is a link to
// `../Sources`.

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
let benchmark = Target.Dependency.product(name: "Benchmark", package: "benchmark")

/// A module of the service.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Modules/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "springbar-benchmarks",
    dependencies: [
        // `traits: []` leaves out the hooks into malloc and the Swift runtime, which slow down the code that they
        // count.
        .package(url: "https://github.com/ordo-one/benchmark.git", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CEpoll", path: "Modules/CEpoll"),
        .systemLibrary(name: "CMathematics", path: "Modules/CMathematics"),
        .systemLibrary(name: "CZlib", path: "Modules/CZlib", pkgConfig: "zlib"),
        module("Primitives", ["CEpoll"]),
        module("BarLayout", ["Motion"]),
        module("Motion", ["Primitives", "CMathematics"]),
        module("JSON", ["Primitives"]),
        module("HTTPExchange", ["Primitives", "JSON", httpTypes, logging]),
        module("PictureCoding", ["Primitives", "CZlib"]),
        module("MotionFeature", ["Primitives", "Motion", "JSON", "HTTPExchange", "PictureCoding", httpTypes]),
        module("SpringbarClient", ["BarLayout", "Motion"]),
        .executableTarget(
            name: "Micro",
            dependencies: [
                "Primitives", "BarLayout", "Motion", "MotionFeature", "SpringbarClient", "JSON", "HTTPExchange",
                httpTypes, logging, benchmark,
            ],
            path: "Micro",
            swiftSettings: strict,
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    cxxLanguageStandard: .cxx17
)

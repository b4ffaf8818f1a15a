// swift-tools-version: 6.2

import PackageDescription

// The fuzz targets. They are a package of their own, because every module must be built with libFuzzer's
// instrumentation.
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

/// A module of the service.
///
/// Fuzz targets may call its internal declarations, in optimised builds too.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Modules/\(name)",
        swiftSettings: strict + [.unsafeFlags(["-enable-testing"])]
    )
}

let package = Package(
    name: "springbar-fuzz",
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
    ],
    targets: [
        .systemLibrary(name: "CCurl", path: "Modules/CCurl", pkgConfig: "libcurl"),
        .systemLibrary(name: "CZlib", path: "Modules/CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CHiredis", path: "Modules/CHiredis"),
        .systemLibrary(name: "COpenSSL", path: "Modules/COpenSSL", pkgConfig: "openssl"),
        .systemLibrary(name: "CEpoll", path: "Modules/CEpoll"),
        .systemLibrary(name: "CMathematics", path: "Modules/CMathematics"),
        .target(name: "CAssets", path: "Modules/CAssets"),
        module("Primitives", ["CEpoll"]),
        module("BarLayout", ["Motion"]),
        module("Motion", ["Primitives", "CMathematics"]),
        module("JSON", ["Primitives"]),
        module("HTTPExchange", ["Primitives", "JSON", httpTypes, logging]),
        module("PictureCoding", ["Primitives", "CZlib"]),
        module("UnsplashClient", ["Primitives", "Photos", "JSON", "CCurl", logging]),
        module("SharedState", ["Primitives"]),
        module("RedisClient", ["Primitives", "SharedState", "CHiredis", "COpenSSL", logging]),
        module("BarFeature", ["Primitives", "BarLayout", "SharedState", "JSON", "HTTPExchange", httpTypes, logging]),
        module("MotionFeature", ["Primitives", "Motion", "JSON", "HTTPExchange", "PictureCoding", httpTypes]),
        module(
            "Photos",
            [
                "Primitives", "SharedState", "JSON", "HTTPExchange", "PictureCoding", httpTypes, logging,
            ]
        ),
        module(
            "SpringbarService",
            [
                "Primitives", "BarLayout", "Motion", "SharedState", "JSON", "HTTPExchange",
                "PictureCoding", "BarFeature", "MotionFeature", "Photos", "CAssets", httpTypes, logging,
            ]
        ),
        // One program for all targets, because linking takes most of the time. `FUZZ_TARGET` selects the target.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Primitives", "BarLayout", "Motion", "JSON", "HTTPExchange", "PictureCoding",
                "UnsplashClient", "SharedState", "RedisClient",
                "BarFeature", "MotionFeature", "Photos", "SpringbarService", httpTypes, logging,
            ],
            path: "Targets",
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)

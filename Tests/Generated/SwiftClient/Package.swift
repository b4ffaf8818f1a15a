// swift-tools-version: 6.0

import PackageDescription

// The generated client is the package `SpringbarAPI` beside this one.
let package = Package(
    name: "SwiftClient",
    dependencies: [.package(path: "../SpringbarAPI")],
    targets: [.executableTarget(name: "SwiftClient", dependencies: ["SpringbarAPI"], path: "Sources")]
)

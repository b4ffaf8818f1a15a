import FakeLibrary
import Foundation

// `fake-library`: the photo library of tests as a process, for suites in other languages and for benchmarks.
//
// Flags: --port, --photos, --requests-per-hour, --picture-bytes, each with a whole number.

var settings = LibraryServer.Configuration()
var port = 0
let arguments = CommandLine.arguments.dropFirst()
for (flag, value) in zip(arguments, arguments.dropFirst()) where flag.hasPrefix("--") {
    guard let number = Int(value) else { fatalError("\(flag) must be a whole number, was \(value)") }
    switch flag {
    case "--port": port = number
    case "--photos": settings.photoCount = number
    case "--requests-per-hour": settings.requestsPerHour = number
    case "--picture-bytes": settings.pictureBytes = number
    default: fatalError("\(flag) is not a flag of this command")
    }
}
let library = LibraryServer(settings)
print("The fake library listens on http://\(try library.start(port: port))")
fflush(nil)
dispatchMain()

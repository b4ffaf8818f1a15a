/// The version of the service, as in CHANGELOG.md.
package enum Version {
    package static let text = "0.1.0"
}

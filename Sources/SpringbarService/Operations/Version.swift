/// The version of the service, which script/version writes.
package enum Version {
    package static let text = "1.1.0"
}

import MicroHTTPServer
import SpringbarService

/// Why nothing can listen where it was told to, as a fault of the setting that mends it.
///
/// The server knows no settings, and only the system knows whether an address can be had: so this is found out last,
/// and is a fault of the configuration like those that were read from it.
struct ListeningFault {
    /// The host or the port.
    let setting: Setting
    private let rule: String
    private let lesson: String

    /// nil for an error that another host or port would not mend.
    init?(_ error: ServerError) {
        switch error {
        case .addressInUse(let address):
            setting = .port
            rule = "must be free at \(address.host)"
            lesson = "choose another one, or 0 for any that is free"
        case .forbiddenPort:
            setting = .port
            rule = "must be one that this user may listen at"
            lesson = "choose a higher one, those below 1024 are seldom for everybody, or 0 for any that is free"
        case .foreignAddress:
            setting = .host
            rule = "must be an address of this machine"
            lesson = "choose 127.0.0.1 to be reached from here alone, 0.0.0.0 or :: to be reached from everywhere"
        case .invalidHost:
            setting = .host
            rule = "must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1"
            lesson = "names are not looked up"
        case .invalidPort, .cannotListen, .cannotStart, .alreadyStarted:
            return nil
        }
    }

    /// The fault as it is told: with the name by which the setting was set, and the text that it was set to.
    func told(of name: String, was text: String) -> ConfigurationFaults {
        ConfigurationFaults(faults: ["\(name): \(rule), was \"\(text)\"; \(lesson)"])
    }

    /// The fault as it is told of a setting that `source` has, or that was left to its default.
    func told(of source: SettingSource) -> ConfigurationFaults {
        let (text, origin) = source.text(of: setting) ?? ("", .standard)
        // Who has said nothing can say it either way.
        let names = [setting.flag.map { "--\($0)" }, setting.variable].compactMap(\.self).joined(separator: " or ")
        return told(of: origin == .standard ? names : source.name(of: setting), was: text)
    }
}

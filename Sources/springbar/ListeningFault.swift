import MicroHTTPServer
import SpringbarService

/// An error of the server's start, as a fault of the setting that caused it.
///
/// Only the system knows whether an address is available, so these faults are found after all others.
struct ListeningFault {
    /// `--host` or `--port`.
    let flag: String
    private let rule: String
    private let lesson: String

    /// Returns nil if another host or port would not help.
    init?(_ error: ServerError) {
        switch error {
        case .addressInUse(let address):
            flag = "--port"
            rule = "must be free at \(address.host)"
            lesson = "choose another one, or 0 for a free one"
        case .forbiddenPort:
            flag = "--port"
            rule = "must be a port that this user may listen on"
            lesson = "choose one above 1023, or 0 for a free one"
        case .foreignAddress:
            flag = "--host"
            rule = "must be an address of this machine"
            lesson = "choose 127.0.0.1 for clients on this machine, 0.0.0.0 or :: for all clients"
        case .invalidHost:
            flag = "--host"
            rule = "must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1"
            lesson = "names are not looked up"
        case .invalidPort, .cannotListen, .cannotStart, .alreadyStarted:
            return nil
        }
    }

    /// Returns the fault with the name of the flag or variable, and its value.
    func fault(of name: String, was text: String) -> ConfigurationFaults {
        ConfigurationFaults(faults: ["\(name): \(rule), was \"\(text)\"; \(lesson)"])
    }

    /// Returns the fault with the name and the value that the configuration has.
    func fault(in configuration: Configuration) -> ConfigurationFaults {
        guard let setting = configuration.settings.first(where: { $0.flag == flag }) else {
            return fault(of: flag, was: "")
        }
        // If neither was set, the message names both the flag and the variable.
        let name = setting.origin == .standard ? "\(flag) or \(setting.variable)" : setting.name
        return fault(of: name, was: setting.text ?? "")
    }
}

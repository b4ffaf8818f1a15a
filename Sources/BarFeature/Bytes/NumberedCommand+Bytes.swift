import BarLayout
package import StoredBytes

// The commands of a write as bytes, for replicas with observers of the bar.

extension ByteWriter {
    package mutating func put(_ commands: [NumberedCommand]) {
        put(number: commands.count)
        for numbered in commands {
            let command = numbered.command
            put(number: numbered.sequence)
            put(UInt8((command.animated ? 1 : 0) | (command.spring == nil ? 0 : 2)))
            put(command.scrollableID)
            put(command.target)
            guard let spring = command.spring else { continue }
            put(spring.dampingRatio, spring.response)
            put(spring.relativeVelocity)
        }
    }
}

extension ByteReader {
    package mutating func command() throws(StoredBytesError) -> NumberedCommand {
        let (sequence, flags) = (try number(), try byte())
        let (id, target) = (try text(), try point())
        var spring: SnapSpring?
        if flags & 2 != 0 {
            let (ratio, response) = (try length(), try length())
            spring = SnapSpring(dampingRatio: ratio, response: response, relativeVelocity: try finite())
        }
        let command = BarCommand(scrollableID: id, target: target, animated: flags & 1 != 0, spring: spring)
        return NumberedCommand(sequence: sequence, command: command)
    }
}

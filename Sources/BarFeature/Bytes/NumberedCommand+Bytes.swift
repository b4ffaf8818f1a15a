import BarLayout
import Primitives

// The commands of a write as bytes, for replicas with observers of the bar.

extension ByteWriter {
    mutating func put(_ commands: [NumberedCommand]) {
        put(number: commands.count)
        for command in commands {
            put(number: command.sequence)
            put(command.command)
        }
    }

    private mutating func put(_ command: BarCommand) {
        put(UInt8((command.animated ? 1 : 0) | (command.spring == nil ? 0 : 2)))
        put(command.scrollableID)
        put(command.target)
        guard let spring = command.spring else { return }
        put(spring.dampingRatio)
        put(spring.response)
        put(spring.relativeVelocity)
    }
}

extension ByteReader {
    mutating func commands() throws(StoredBytesError) -> [NumberedCommand] {
        var commands: [NumberedCommand] = []
        for _ in 0..<(try number()) {
            let sequence = try number()
            commands.append(NumberedCommand(sequence: sequence, command: try command()))
        }
        return commands
    }

    private mutating func command() throws(StoredBytesError) -> BarCommand {
        let flags = try byte()
        let id = try text()
        let target = try computedPoint()
        var spring: SnapSpring?
        if flags & 2 != 0 {
            let (ratio, response, velocity) = (try double(), try double(), try double())
            spring = try valid(SnapSpring(restoring: ratio, response: response, relativeVelocity: velocity))
        }
        return BarCommand(restoring: id, target: target, animated: flags & 1 != 0, spring: spring)
    }
}

/// A text that must not be seen: it prints as a mark, whoever prints it.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one place that needs it.
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "(set, not shown)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

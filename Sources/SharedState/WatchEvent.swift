package enum WatchEvent: Sendable, Hashable {
    /// Events were possibly lost before this one, and none is lost from now on until the next `ready`.
    ///
    /// It is the first event of every watch, and comes again after every interruption. The watcher reads the value then.
    case ready
    /// A write: the bytes of the value, followed by those of the broadcast.
    case written([UInt8])
    /// The value was deleted. The end of the time to live is not an event.
    case deleted
}

/// The reason why stored bytes cannot be read.
public enum StoredBytesError: Error, Sendable, Equatable {
    /// A value is longer than the rest of the bytes.
    case truncated
    /// A byte that selects a kind of value has no meaning.
    case unknownKind(UInt8)
    /// A bit of flags is not known to this version of the service.
    case unknownFlags(UInt16)
    /// A text is not UTF-8.
    case invalidText
    /// A number has more than 56 bits, or is too large for its meaning.
    case numberTooLarge
    /// The format is that of another version of the service.
    case unknownFormat(UInt8)
    /// The entries of a log are not those that its owner counts.
    case inconsistentLog
    /// A value is not allowed, or an event cannot be applied.
    case invalid(reason: String)
}

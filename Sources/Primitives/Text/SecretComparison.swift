extension [UInt8] {
    /// Returns whether the bytes are those of a secret; never for an empty one.
    ///
    /// Compares to the end, so that the duration does not reveal a correct beginning: it depends only on these bytes.
    package func isEqual(toSecret secret: [UInt8]) -> Bool {
        if secret.isEmpty { return false }
        var difference = UInt8(count == secret.count ? 0 : 1)
        for position in indices { difference |= self[position] ^ secret[position % secret.count] }
        return difference == 0
    }
}

/// Content that may have no end, and is then not in memory as a whole.
struct RepeatedContent: Sendable {
    var prefix: [UInt8] = []
    /// The byte that follows the prefix without an end; nil for content that ends with the prefix.
    var filler: UInt8?

    /// The number of bytes; nil for endless content.
    var count: Int? { filler == nil ? prefix.count : nil }

    /// Copies bytes from `offset` on, as many as fit into `buffer`, and returns their number.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = prefix.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: part)
        guard let filler else { return part.count }
        for index in part.count..<buffer.count { buffer[index] = filler }
        return buffer.count
    }
}

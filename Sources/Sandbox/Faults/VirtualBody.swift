/// Content that need not be in memory: some bytes, a block any number of times, some bytes.
struct VirtualBody: Sendable, Equatable {
    var prefix: [UInt8] = []
    var block: [UInt8] = []
    /// How often the block comes; nil for without end.
    var repeats: Int? = 0
    var suffix: [UInt8] = []

    /// The number of bytes; nil without end.
    var count: Int? { repeats.map { prefix.count + block.count * $0 + suffix.count } }

    /// Copies what stands from `offset` on into `buffer`, as much as fits and is left.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        while copied < buffer.count, let part = part(at: offset + copied) {
            let size = min(part.count, buffer.count - copied)
            buffer[copied..<copied + size].copyBytes(from: part.prefix(size))
            copied += size
        }
        return copied
    }

    /// The rest of the part that `offset` lies in; nil at the end.
    private func part(at offset: Int) -> ArraySlice<UInt8>? {
        if offset < prefix.count { return prefix[offset...] }
        let inBlocks = offset - prefix.count
        if repeats.map({ inBlocks < block.count * $0 }) ?? true { return block[(inBlocks % block.count)...] }
        let inSuffix = inBlocks - block.count * (repeats ?? 0)
        return inSuffix < suffix.count ? suffix[inSuffix...] : nil
    }
}

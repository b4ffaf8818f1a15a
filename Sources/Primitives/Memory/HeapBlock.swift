/// The sizes of allocations on the heap, including the allocator's header and rounding and the headers of Swift's
/// objects.
///
/// The numbers are glibc's on a 64-bit machine: a block has a header of 8 bytes, is a multiple of 16 and has at least
/// 32 ("Overview of Malloc", glibc wiki: a chunk is its size field and the user data, which overlaps the next chunk).
package enum HeapBlock {
    /// The header of a Swift object, in bytes: its type and its reference counts.
    package static let objectHeader = 16

    /// The header of an array's storage: that of an object, the count and the capacity.
    private static let arrayHeader = 32

    /// The header of a string's storage, and the zero after its code units (stdlib: `__StringStorage`).
    private static let stringOverhead = 33

    /// The longest string, in bytes of UTF-8, that needs no storage of its own (stdlib: `_SmallString`).
    private static let smallString = 15

    /// Returns the size of the block for `count` bytes.
    package static func bytes(_ count: Int) -> Int {
        max(32, (count + 8 + 15) & ~15)
    }

    /// Returns the size of the block of an object with `members` bytes of members.
    package static func object(_ members: Int) -> Int {
        bytes(objectHeader + members)
    }

    /// The block of an array with room for `capacity` elements; an array without room has none.
    package static func array<Element>(of type: Element.Type, capacity: Int) -> Int {
        capacity == 0 ? 0 : bytes(arrayHeader + capacity * MemoryLayout<Element>.stride)
    }

    /// The block of a string; 0 for a short one, which is stored where the string is.
    package static func text(_ text: String) -> Int {
        text.utf8.count <= smallString ? 0 : bytes(stringOverhead + text.utf8.count)
    }
}

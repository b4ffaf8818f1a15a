import Primitives

/// A number of the client's that follows the bar: an alpha, a position, a font size.
///
/// An immutable object, so that lists of tracks that differ in one track share the others.
package final class Track: Sendable {
    /// The client's name for it; 1 to 128 characters, none of them a control character.
    package let name: String
    package let curve: Curve
    /// Finds a track by comparing one word; see ``hash(of:)``.
    let nameHash: Int
    private let holders = HolderCount()

    /// The longest name, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    package static let nameLimit = 128

    package init(name: String, curve: Curve) throws(BarLayoutError) {
        self.name = try Track.checkedName(name)
        self.curve = curve
        nameHash = Track.hash(of: name)
    }

    /// The number for a state.
    package func value(at state: BarState) -> Double {
        switch curve {
        case .ranges(let compactNormal, let normalExpanded):
            state.value(compactNormalRange: compactNormal, normalExpandedRange: normalExpanded)
        case .keyframes(let keyframes):
            keyframes.value(at: state.transitionProgress)
        }
    }

    /// How the number follows.
    package enum Curve: Sendable, Equatable {
        /// AirBar's `value(compactNormalRange:normalExpandedRange:)`.
        case ranges(compactNormal: ValueRange, normalExpanded: ValueRange)
        /// Straight lines between points anywhere on the way.
        case keyframes(Keyframes)
    }
}

extension Track: Equatable {
    package static func == (left: Track, right: Track) -> Bool {
        left === right || left.hasName(right.name, hash: right.nameHash) && left.curve == right.curve
    }
}

// Names are compared byte by byte: what JSON tells apart as two members are two tracks, and a comparison of long names
// costs no normalisation.
extension Track {
    /// Passes a name on if it has 1 to 128 characters and none of them is a control character.
    ///
    /// The control characters are U+0000 to U+001F and U+007F to U+009F: general category `Cc`, a set that is fixed
    /// (Unicode Character Encoding Stability Policies, "Property Value Stability").
    package static func checkedName(_ name: String) throws(BarLayoutError) -> String {
        let hasControl = name.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        guard name.hasLength(upTo: nameLimit), !hasControl else { throw .trackName(limit: nameLimit) }
        return name
    }

    /// A hash of the name's bytes, with the random seed of the process: no client can choose names that collide.
    static func hash(of name: String) -> Int {
        var hasher = Hasher()
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    /// Whether this is the name of the track; `hash` is that of the name.
    func hasName(_ name: String, hash: Int) -> Bool {
        nameHash == hash && self.name.utf8.elementsEqual(name.utf8)
    }
}

// See `BarSession+Memory.swift`.
extension Track {
    var heapBytes: Int {
        let object = HeapBlock.object(MemoryLayout<(String, Curve, Int, Int)>.stride)
        guard case .keyframes(let keyframes) = curve else { return object + HeapBlock.text(name) }
        let points = HeapBlock.array(of: Keyframe.self, capacity: keyframes.points.capacity)
        return object + HeapBlock.text(name) + points
    }

    var unheldBytes: Int { holders.isZero ? heapBytes : 0 }

    func hold() -> Int { holders.add() ? heapBytes : 0 }

    func letGo() -> Int { holders.remove() ? heapBytes : 0 }
}

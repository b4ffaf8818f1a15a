import BarLayout
import JSON

// The geometry of the contract, read straight into the domain's types. Those validate; what is added here is where.

extension JSONValue {
    func point() throws -> Point {
        let (x, y) = try object().doubles("x", "y")
        return try placing(self) { () throws(BarLayoutError) in try Point(x: x, y: y) }
    }

    func size() throws -> Size {
        let (width, height) = try object().doubles("width", "height")
        return try placing(self) { () throws(BarLayoutError) in try Size(width: width, height: height) }
    }

    func rect() throws -> Rect {
        let object = try object()
        try object.only("x", "y", "width", "height")
        let (x, y) = (try object.double("x"), try object.double("y"))
        let (width, height) = (try object.double("width"), try object.double("height"))
        return try placing(self) { () throws(BarLayoutError) in try Rect(x: x, y: y, width: width, height: height) }
    }

    func insets() throws -> EdgeInsets {
        let object = try object()
        try object.only("top", "left", "bottom", "right")
        let (top, left) = (try object.double("top"), try object.double("left"))
        let (bottom, right) = (try object.double("bottom"), try object.double("right"))
        return try placing(self) { () throws(BarLayoutError) in
            try EdgeInsets(top: top, left: left, bottom: bottom, right: right)
        }
    }

    /// A scroll view; it is called `main` unless it says otherwise, and has no insets.
    func scrollable() throws -> Scrollable {
        let object = try object()
        try object.only("id", "contentOffset", "contentSize", "frame", "contentInset")
        let id = try object.optional("id")?.string() ?? "main"
        let geometry = ScrollGeometry(
            contentOffset: try object["contentOffset"].point(),
            contentSize: try object["contentSize"].size(),
            frame: try object["frame"].rect(),
            contentInset: try object.optional("contentInset")?.insets() ?? .zero
        )
        return try placing(self) { () throws(BarLayoutError) in try Scrollable(id: id, geometry: geometry) }
    }

    func configuration() throws -> BarConfiguration {
        let object = try object()
        try object.only("compactStateHeight", "normalStateHeight", "expandedStateHeight")
        let compact = try object.double("compactStateHeight")
        let normal = try object.double("normalStateHeight")
        let expanded = try object.double("expandedStateHeight")
        return try placing(self) { () throws(BarLayoutError) in
            try BarConfiguration(
                compactStateHeight: compact,
                normalStateHeight: normal,
                expandedStateHeight: expanded
            )
        }
    }
}

/// Makes something of the domain from the members of `value`, and says in the error where the fault stands.
func placing<Result>(
    _ value: JSONValue,
    _ make: () throws(BarLayoutError) -> Result
) throws(BarSessionError) -> Result {
    do {
        return try make()
    } catch {
        throw .invalid(pointer: value.pointer + (error.member.map { "/" + $0 } ?? ""), error)
    }
}

extension BarLayoutError {
    /// The member at fault, where it is one.
    fileprivate var member: String? {
        switch self {
        case .outOfRange(let member), .negative(let member), .negativeHeight(let member), .length(let member, _): member
        case .keyframes: "keyframes"
        case .heightsNotAscending, .scrollableMismatch, .tooManyTracks, .trackName: nil
        }
    }
}

/// An editorial topic: a share of the photos of its subjects.
struct Topic: Sendable, Equatable {
    private let row: TextRow

    var id: String { row.require(0) }
    var slug: String { row.require(1) }
    var title: String { row.require(2) }
    var description: String { row.require(3) }
    /// The percentage of the photos of these subjects.
    var share: Int { Int(row.require(4)) ?? 0 }
    var subjects: [Subject] { row.texts(from: 5).compactMap(Subject.init) }

    static let all = TextRow.all(
        of: """
            Pk3sandb0x1 | high-places | High Places | Ridges behind ridges, until the air turns them to paper. \
            | 70 | mountains | forest
            Dn3sandb0x2 | drylands | Drylands | Sand that remembers the wind. | 80 | dunes
            Wt3sandb0x3 | open-water | Open Water | Horizons, and the light that crosses them. | 90 | sea
            Nt3sandb0x4 | after-dark | After Dark | For tripods & thermos flasks: "the sky moved". | 90 | aurora
            Gr3sandb0x5 | green-hills | Green Hills | Meadows in all the colours a meadow has. | 75 | meadows
            Wp3sandb0x6 | wallpapers | Wallpapers | Calm enough to put icons on. \
            | 25 | mountains | dunes | sea | aurora | meadows | forest
            """
    ).map(Topic.init)
}

/// A collection of photos by a member: all photos with numbers that leave `remainder` when divided by `divisor`.
struct PhotoCollection: Sendable {
    let id: String
    let title: String
    private let divisor: Int
    private let remainder: Int

    static let all = [
        PhotoCollection(id: "1201", title: "Quiet mornings", divisor: 5, remainder: 0),
        PhotoCollection(id: "1202", title: "Far & wide", divisor: 7, remainder: 3),
        PhotoCollection(id: "kT9_-sandbx", title: "砂と海", divisor: 11, remainder: 2),
        PhotoCollection(id: "1204", title: "Only one", divisor: 1_000_003, remainder: 17),
    ]

    func has(_ photo: CataloguePhoto) -> Bool { photo.number % divisor == remainder }
}

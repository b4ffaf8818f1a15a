/// An editorial topic: a share of the photos of its subjects.
struct Topic: Sendable, Equatable {
    let id: String
    let slug: String
    let title: String
    let description: String
    let subjects: [Subject]
    /// The percentage of the photos of these subjects.
    let share: Int

    static let all = [
        Topic(
            id: "Pk3sandb0x1",
            slug: "high-places",
            title: "High Places",
            description: "Ridges behind ridges, until the air turns them to paper.",
            subjects: [.mountains, .forest],
            share: 70
        ),
        Topic(
            id: "Dn3sandb0x2",
            slug: "drylands",
            title: "Drylands",
            description: "Sand that remembers the wind.",
            subjects: [.dunes],
            share: 80
        ),
        Topic(
            id: "Wt3sandb0x3",
            slug: "open-water",
            title: "Open Water",
            description: "Horizons, and the light that crosses them.",
            subjects: [.sea],
            share: 90
        ),
        Topic(
            id: "Nt3sandb0x4",
            slug: "after-dark",
            title: "After Dark",
            description: "For tripods & thermos flasks: \"the sky moved\".",
            subjects: [.aurora],
            share: 90
        ),
        Topic(
            id: "Gr3sandb0x5",
            slug: "green-hills",
            title: "Green Hills",
            description: "Meadows in all the colours a meadow has.",
            subjects: [.meadows],
            share: 75
        ),
        Topic(
            id: "Wp3sandb0x6",
            slug: "wallpapers",
            title: "Wallpapers",
            description: "Calm enough to put icons on.",
            subjects: Subject.allCases,
            share: 25
        ),
    ]
}

/// A collection of photos by a member.
struct PhotoCollection: Sendable {
    let id: String
    let title: String
    let description: String?
    /// Contains the photos whose number modulo `divisor` is `remainder`.
    let divisor: Int
    let remainder: Int

    func contains(_ photo: CataloguePhoto) -> Bool {
        photo.number % divisor == remainder
    }

    static let all = [
        PhotoCollection(id: "1201", title: "Morning pages", description: "One for each day.", divisor: 5, remainder: 0),
        PhotoCollection(id: "1202", title: "霧", description: nil, divisor: 7, remainder: 3),
        PhotoCollection(
            id: "kT9_-sandbx",
            title: "Covers & <headers>",
            description: "Wide, quiet, dark at the \"bottom\".",
            divisor: 11,
            remainder: 2
        ),
        PhotoCollection(id: "1204", title: "Only one", description: nil, divisor: 1_000_003, remainder: 17),
    ]
}

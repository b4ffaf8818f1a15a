/// The camera and its settings: a detail's `exif`.
struct Camera: Sendable {
    private let row: TextRow

    var make: String? { row[0] }
    var model: String? { row[1] }
    /// The upstream's `name`.
    var name: String? { make.flatMap { make in model.map { "\(make), \($0)" } } }
    var exposureTime: String? { row[2] }
    var aperture: String? { row[3] }
    var focalLength: String? { row[4] }
    var iso: Int? { row[5].flatMap { Int($0) } }

    static let all = TextRow.all(
        of: """
            Lumetric | L7 Mark II | 1/160 | 6.3 | 35.0 | 100
            NORDLICHT | ND-9 | 15 | 1.8 | 14.0 | 3200
            Hikari | H-50X | 1/1250 | 2.8 | 85.0 | 64
            Folding Co. | No. 3 "Pocket"
            -
            """
    ).map(Camera.init)
}

/// The place where a photo was taken: a detail's `location`.
struct PhotoLocation: Sendable {
    private let row: TextRow

    var name: String { row.require(0) }
    var city: String? { row[1] }
    var country: String? { row[2] }
    /// Degrees; nil if unknown, which the upstream writes as 0.
    var latitude: Double? { row[3].flatMap { Double($0) } }
    var longitude: Double? { row[4].flatMap { Double($0) } }

    static let all = TextRow.all(
        of: """
            Geiranger, Norge | Geiranger | Norge | 62.101 | 7.206
            Erg Chebbi, المغرب | - | المغرب | 31.15 | -3.97
            上高地, 日本 | 松本市 | 日本 | 36.249 | 137.638
            Nazaré, Portugal | Nazaré | Portugal | 39.601 | -9.071
            Inari, Suomi | Inari | Suomi | 68.906 | 27.026
            Valle d'Aosta | - | Italia
            Te Waipounamu | - | Aotearoa
            """
    ).map(PhotoLocation.init)
}

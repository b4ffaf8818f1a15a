/// The camera and its settings: a detail's `exif`.
struct Camera: Sendable {
    let make: String?
    let model: String?
    let exposureTime: String?
    let aperture: String?
    let focalLength: String?
    let iso: Int?

    private init(_ row: TextRow) {
        (make, model, exposureTime, aperture, focalLength) = (row[0], row[1], row[2], row[3], row[4])
        iso = row[5].flatMap { Int($0) }
    }

    /// The upstream's `name`.
    var name: String? {
        guard let make, let model else { return nil }
        return "\(make), \(model)"
    }

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
    let name: String
    let city: String?
    let country: String?
    /// Degrees; nil if unknown, which the upstream writes as 0.
    let latitude: Double?
    let longitude: Double?

    private init(_ row: TextRow) {
        name = row.require(0)
        (city, country) = (row[1], row[2])
        (latitude, longitude) = (row[3].flatMap { Double($0) }, row[4].flatMap { Double($0) })
    }

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

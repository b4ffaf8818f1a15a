/// What a detail's `exif` says.
struct Camera: Sendable {
    let make: String?
    let model: String?
    let exposureTime: String?
    let aperture: String?
    let focalLength: String?
    let iso: Int?

    /// The upstream's `name`: make and model.
    var name: String? {
        guard let make, let model else { return nil }
        return "\(make), \(model)"
    }

    static let all = [
        Camera(
            make: "Lumetric",
            model: "L7 Mark II",
            exposureTime: "1/160",
            aperture: "6.3",
            focalLength: "35.0",
            iso: 100
        ),
        Camera(make: "NORDLICHT", model: "ND-9", exposureTime: "15", aperture: "1.8", focalLength: "14.0", iso: 3200),
        Camera(make: "Hikari", model: "H-50X", exposureTime: "1/1250", aperture: "2.8", focalLength: "85.0", iso: 64),
        Camera(
            make: "Folding Co.",
            model: "No. 3 \"Pocket\"",
            exposureTime: nil,
            aperture: nil,
            focalLength: nil,
            iso: nil
        ),
        Camera(make: nil, model: nil, exposureTime: nil, aperture: nil, focalLength: nil, iso: nil),
    ]
}

/// What a detail's `location` says.
struct Place: Sendable {
    let name: String
    let city: String?
    let country: String?
    /// Degrees; nil where the upstream shows 0 for unknown.
    let latitude: Double?
    let longitude: Double?

    static let all = [
        Place(name: "Geiranger, Norge", city: "Geiranger", country: "Norge", latitude: 62.101, longitude: 7.206),
        Place(name: "Erg Chebbi, المغرب", city: nil, country: "المغرب", latitude: 31.15, longitude: -3.97),
        Place(name: "上高地, 日本", city: "松本市", country: "日本", latitude: 36.249, longitude: 137.638),
        Place(name: "Nazaré, Portugal", city: "Nazaré", country: "Portugal", latitude: 39.601, longitude: -9.071),
        Place(name: "Inari, Suomi", city: "Inari", country: "Suomi", latitude: 68.906, longitude: 27.026),
        Place(name: "Valle d'Aosta", city: nil, country: "Italia", latitude: nil, longitude: nil),
        Place(name: "Te Waipounamu", city: nil, country: "Aotearoa", latitude: nil, longitude: nil),
    ]
}

/// The camera and its settings: a detail's `exif`.
struct Camera: Sendable {
    let make: String?
    let model: String?
    var exposureTime: String?
    var aperture: String?
    var focalLength: String?
    var iso: Int?

    private init(
        _ make: String?,
        _ model: String?,
        exposureTime: String? = nil,
        aperture: String? = nil,
        focalLength: String? = nil,
        iso: Int? = nil
    ) {
        self.make = make
        self.model = model
        self.exposureTime = exposureTime
        self.aperture = aperture
        self.focalLength = focalLength
        self.iso = iso
    }

    /// The upstream's `name`.
    var name: String? {
        guard let make, let model else { return nil }
        return "\(make), \(model)"
    }

    static let all = [
        Camera("Lumetric", "L7 Mark II", exposureTime: "1/160", aperture: "6.3", focalLength: "35.0", iso: 100),
        Camera("NORDLICHT", "ND-9", exposureTime: "15", aperture: "1.8", focalLength: "14.0", iso: 3200),
        Camera("Hikari", "H-50X", exposureTime: "1/1250", aperture: "2.8", focalLength: "85.0", iso: 64),
        Camera("Folding Co.", "No. 3 \"Pocket\""),
        Camera(nil, nil),
    ]
}

/// The place where a photo was taken: a detail's `location`.
struct PhotoLocation: Sendable {
    let name: String
    let city: String?
    let country: String?
    /// Degrees; nil if unknown, which the upstream writes as 0.
    let latitude: Double?
    let longitude: Double?

    static let all = [
        PhotoLocation(
            name: "Geiranger, Norge",
            city: "Geiranger",
            country: "Norge",
            latitude: 62.101,
            longitude: 7.206
        ),
        PhotoLocation(name: "Erg Chebbi, المغرب", city: nil, country: "المغرب", latitude: 31.15, longitude: -3.97),
        PhotoLocation(name: "上高地, 日本", city: "松本市", country: "日本", latitude: 36.249, longitude: 137.638),
        PhotoLocation(
            name: "Nazaré, Portugal",
            city: "Nazaré",
            country: "Portugal",
            latitude: 39.601,
            longitude: -9.071
        ),
        PhotoLocation(name: "Inari, Suomi", city: "Inari", country: "Suomi", latitude: 68.906, longitude: 27.026),
        PhotoLocation(name: "Valle d'Aosta", city: nil, country: "Italia", latitude: nil, longitude: nil),
        PhotoLocation(name: "Te Waipounamu", city: nil, country: "Aotearoa", latitude: nil, longitude: nil),
    ]
}

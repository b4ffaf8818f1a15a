/// The details of a photo, which lists do not have.
package struct PhotoDetail: Sendable, Equatable {
    package var photo: Photo
    package var exif: Exif
    package var location: Location
    package var tags: [String]
    package var views: Int
    package var downloads: Int

    package init(photo: Photo, exif: Exif, location: Location, tags: [String], views: Int, downloads: Int) {
        self.photo = photo
        self.exif = exif
        self.location = location
        self.tags = tags
        self.views = views
        self.downloads = downloads
    }

    /// The camera and its settings, any of which may be missing; numbers are text, as the library has them (`"1/160"`).
    package struct Exif: Sendable, Equatable {
        package var make: String?
        package var model: String?
        package var name: String?
        package var exposureTime: String?
        package var aperture: String?
        package var focalLength: String?
        package var iso: Int?

        package init() {}
    }

    /// The place where the photo was taken.
    package struct Location: Sendable, Equatable {
        package var name: String?
        package var city: String?
        package var country: String?
        /// Degrees; nil if the library writes 0/0, which means unknown.
        package var latitude: Double?
        package var longitude: Double?

        package init() {}
    }
}

import PhotoFeed
import Primitives
import SharedState

extension ByteWriter {
    /// Appends a photo of about 1.2 kB.
    mutating func put(_ photo: Photo) {
        put(photo.id)
        put(photo.slug)
        put(number: photo.width)
        put(number: photo.height)
        put(photo.createdAt)
        put(photo.color)
        put(photo.blurHash)
        put(photo.writtenDescription)
        put(photo.altDescription)
        put(signed: photo.likes)
        put(photo.sponsored)
        put(photo.premium)
        put(photo.hotlinks.raw)
        put(photo.hotlinks.full)
        put(photo.hotlinks.regular)
        put(photo.hotlinks.small)
        put(photo.hotlinks.thumb)
        put(photo.downloadLocation)
        put(photo.user.username)
        put(photo.user.name)
    }

    /// Appends the details of a photo.
    mutating func put(_ detail: PhotoDetail) {
        put(detail.photo)
        put(detail.exif.make)
        put(detail.exif.model)
        put(detail.exif.name)
        put(detail.exif.exposureTime)
        put(detail.exif.aperture)
        put(detail.exif.focalLength)
        put(detail.exif.iso) { $0.put(signed: $1) }
        put(detail.location.name)
        put(detail.location.city)
        put(detail.location.country)
        put(detail.location.latitude) { $0.put(bits: $1.bitPattern) }
        put(detail.location.longitude) { $0.put(bits: $1.bitPattern) }
        put(count: detail.tags.count)
        for tag in detail.tags { put(tag) }
        put(signed: detail.views)
        put(signed: detail.downloads)
    }

    mutating func put(_ flag: Bool) {
        put(UInt8(flag ? 1 : 0))
    }

    mutating func put(signed number: Int) {
        put(bits: UInt64(bitPattern: Int64(number)))
    }

    mutating func put(_ text: String?) {
        put(text) { $0.put($1) }
    }

    /// Appends a byte that tells whether there is a value, and the value.
    mutating func put<Value>(_ value: Value?, _ put: (inout ByteWriter, Value) -> Void) {
        self.put(value != nil)
        if let value { put(&self, value) }
    }
}

extension ByteReader {
    /// Reads a photo within the limits of the library's client.
    mutating func photo() throws(StoredBytesError) -> Photo {
        let (id, slug) = (try libraryName(), try libraryName())
        let (width, height) = (try number(in: 1...1_000_000), try number(in: 1...1_000_000))
        let createdAt = try shortText()
        let (color, blurHash) = (try optionalText(), try optionalText())
        let (writtenDescription, altDescription) = (try optionalText(), try optionalText())
        let likes = try signed()
        let (sponsored, premium) = (try flag(), try flag())
        return Photo(
            id: id,
            slug: slug,
            width: width,
            height: height,
            createdAt: createdAt,
            color: color,
            blurHash: blurHash,
            writtenDescription: writtenDescription,
            altDescription: altDescription,
            likes: likes,
            sponsored: sponsored,
            premium: premium,
            hotlinks: Photo.Hotlinks(
                raw: try address(),
                full: try address(),
                regular: try address(),
                small: try address(),
                thumb: try address()
            ),
            downloadLocation: try address(),
            user: Photo.Photographer(username: try shortText(), name: try shortText())
        )
    }

    /// Reads the details of a photo.
    mutating func detail() throws(StoredBytesError) -> PhotoDetail {
        let photo = try photo()
        var exif = PhotoDetail.Exif()
        exif.make = try optionalText()
        exif.model = try optionalText()
        exif.name = try optionalText()
        exif.exposureTime = try optionalText()
        exif.aperture = try optionalText()
        exif.focalLength = try optionalText()
        exif.iso = try flag() ? try signed() : nil
        var location = PhotoDetail.Location()
        location.name = try optionalText()
        location.city = try optionalText()
        location.country = try optionalText()
        location.latitude = try flag() ? try coordinate() : nil
        location.longitude = try flag() ? try coordinate() : nil
        let tags = try list(atMost: 1000) { reader throws(StoredBytesError) in try reader.shortText() }
        return PhotoDetail(
            photo: photo,
            exif: exif,
            location: location,
            tags: tags,
            views: try signed(),
            downloads: try signed()
        )
    }

    mutating func flag() throws(StoredBytesError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        case let other: throw .unknownKind(other)
        }
    }

    mutating func signed() throws(StoredBytesError) -> Int {
        Int(Int64(bitPattern: try bits()))
    }

    mutating func number(in range: ClosedRange<Int>) throws(StoredBytesError) -> Int {
        let number = try number()
        guard range.contains(number) else { throw .invalid(reason: "a photo") }
        return number
    }

    /// Reads a list; an element may take more memory than its bytes.
    mutating func list<Element>(
        atMost limit: Int,
        _ element: (inout ByteReader) throws(StoredBytesError) -> Element
    ) throws(StoredBytesError) -> [Element] {
        var elements: [Element] = []
        let count = try count()
        guard count <= limit else { throw .invalid(reason: "a photo") }
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    /// Reads a text within the longest of the library's client and of a request.
    mutating func shortText() throws(StoredBytesError) -> String {
        let text = try text()
        guard text.utf8.count <= 16_384 else { throw .invalid(reason: "a photo") }
        return text
    }

    mutating func optionalText() throws(StoredBytesError) -> String? {
        try flag() ? try shortText() : nil
    }

    mutating func libraryName() throws(StoredBytesError) -> String {
        guard let name = LibraryName(try text()) else { throw .invalid(reason: "a photo") }
        return name.text
    }

    /// Reads a URL, which may become a field of a response: without spaces and control characters.
    private mutating func address() throws(StoredBytesError) -> String {
        let text = try shortText()
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .invalid(reason: "a photo") }
        return text
    }

    private mutating func coordinate() throws(StoredBytesError) -> Double {
        let degrees = Double(bitPattern: try bits())
        guard degrees.isFinite else { throw .invalid(reason: "a photo") }
        return degrees
    }
}

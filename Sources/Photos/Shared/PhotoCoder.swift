import Primitives

/// Writes or reads the records of photos: one description of a value serves both.
///
/// Each function takes a value, writes it and returns it; or, if the coder has bytes, it ignores the value, and reads and
/// returns another one. Both refuse a value outside of its limits, so no replica stores what others could not read.
struct PhotoCoder: ~Copyable {
    private var reader = ByteReader()
    private var writer = ByteWriter()
    private let isReading: Bool
    private let clock: SteadyClock

    /// A coder that writes.
    init(_ clock: SteadyClock) {
        self.clock = clock
        isReading = false
        writer = ByteWriter(capacity: 1 << 16)
    }

    /// A coder that reads.
    init(reading reader: consuming ByteReader, _ clock: SteadyClock) {
        self.clock = clock
        isReading = true
        self.reader = reader
    }

    var bytes: [UInt8] { writer.bytes }

    private mutating func coded<Value>(
        _ value: Value?,
        _ put: (inout ByteWriter, Value) -> Void,
        _ get: (inout ByteReader) throws -> Value
    ) throws -> Value {
        if isReading { return try get(&reader) }
        guard let value else { throw StoredBytesError.invalid(reason: "a photo") }
        put(&writer, value)
        return value
    }

    private func check(_ isAllowed: Bool) throws {
        guard isAllowed else { throw StoredBytesError.invalid(reason: "a photo") }
    }

    mutating func byte(_ value: UInt8?) throws -> UInt8 { try coded(value, { $0.put($1) }, { try $0.byte() }) }

    mutating func bits(_ value: UInt64?) throws -> UInt64 { try coded(value, { $0.put(bits: $1) }, { try $0.bits() }) }

    mutating func content(_ value: [UInt8]?) throws -> [UInt8] {
        try coded(value, { $0.put($1) }, { try $0.content() })
    }

    mutating func number(_ value: Int?, in range: ClosedRange<Int>) throws -> Int {
        let number = try coded(value, { $0.put(number: $1) }, { try $0.number() })
        try check(range.contains(number))
        return number
    }

    /// A text within the longest of the library's client and of a request.
    mutating func text(_ value: String?) throws -> String {
        let text = try coded(value, { $0.put($1) }, { try $0.text() })
        try check(text.utf8.count <= 16_384)
        return text
    }

    mutating func flag(_ value: Bool?) throws -> Bool { try number(value.map { $0 ? 1 : 0 }, in: 0...1) == 1 }

    mutating func signed(_ value: Int?) throws -> Int {
        Int(Int64(bitPattern: try bits(value.map { UInt64(bitPattern: Int64($0)) })))
    }

    /// The time of day at which the value was fetched.
    mutating func moment(_ value: Instant?) throws -> Instant {
        let time = try number(value.map { clock.time(at: $0).milliseconds }, in: 0...Int.max)
        return clock.moment(of: WallTime(milliseconds: time))
    }

    mutating func optional<Value>(
        _ value: Value?,
        _ body: (inout PhotoCoder, Value?) throws -> Value
    ) throws -> Value? {
        try flag(value != nil) ? try body(&self, value) : nil
    }

    /// A list; an element may take more memory than its bytes.
    mutating func list<Element>(
        _ values: [Element]?,
        atMost limit: Int,
        _ body: (inout PhotoCoder, Element?) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        for index in 0..<(try number(values?.count, in: 0...limit)) {
            elements.append(try body(&self, isReading ? nil : values?[index]))
        }
        return elements
    }
}

extension PhotoCoder {
    private mutating func optionalText(_ value: String?) throws -> String? { try optional(value) { try $0.text($1) } }

    private mutating func name(_ value: String?) throws -> String {
        let name = try text(value)
        try check(LibraryName(name) != nil)
        return name
    }

    /// A URL, which may become a field of a response: without spaces and control characters.
    private mutating func address(_ value: String?) throws -> String {
        let address = try text(value)
        try check(address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F })
        return address
    }

    private mutating func degrees(_ value: Double?) throws -> Double? {
        try optional(value) { coder, degrees in
            let degrees = Double(bitPattern: try coder.bits(degrees?.bitPattern))
            try coder.check(degrees.isFinite)
            return degrees
        }
    }

    /// A photo within the limits of the library's client, of about 1.2 kB.
    mutating func photo(_ value: Photo?) throws -> Photo {
        var photo = Photo(
            id: try name(value?.id),
            slug: try name(value?.slug),
            width: try number(value?.width, in: 1...1_000_000),
            height: try number(value?.height, in: 1...1_000_000),
            createdAt: try text(value?.createdAt),
            hotlinks: try Photo.Hotlinks { try address(value?.hotlinks[keyPath: $1]) },
            downloadLocation: try address(value?.downloadLocation),
            user: Photo.Photographer(username: try text(value?.user.username), name: try text(value?.user.name))
        )
        photo.color = try optionalText(value?.color)
        photo.blurHash = try optionalText(value?.blurHash)
        photo.writtenDescription = try optionalText(value?.writtenDescription)
        photo.altDescription = try optionalText(value?.altDescription)
        photo.likes = try signed(value?.likes)
        photo.sponsored = try flag(value?.sponsored)
        photo.premium = try flag(value?.premium)
        return photo
    }

    mutating func detail(_ value: PhotoDetail?) throws -> PhotoDetail {
        var detail = PhotoDetail(try photo(value?.photo))
        detail.exif.make = try optionalText(value?.exif.make)
        detail.exif.model = try optionalText(value?.exif.model)
        detail.exif.name = try optionalText(value?.exif.name)
        detail.exif.exposureTime = try optionalText(value?.exif.exposureTime)
        detail.exif.aperture = try optionalText(value?.exif.aperture)
        detail.exif.focalLength = try optionalText(value?.exif.focalLength)
        detail.exif.iso = try optional(value?.exif.iso) { try $0.signed($1) }
        detail.location.name = try optionalText(value?.location.name)
        detail.location.city = try optionalText(value?.location.city)
        detail.location.country = try optionalText(value?.location.country)
        detail.location.latitude = try degrees(value?.location.latitude)
        detail.location.longitude = try degrees(value?.location.longitude)
        detail.tags = try list(value?.tags, atMost: 1000) { try $0.text($1) }
        detail.views = try signed(value?.views)
        detail.downloads = try signed(value?.downloads)
        return detail
    }
}

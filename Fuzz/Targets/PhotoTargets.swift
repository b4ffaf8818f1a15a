import HTTPTypes
import Primitives

@testable import BarFeature
@testable import HTTPExchange
@testable import PhotoLibrary
@testable import Photos
@testable import PictureCoding
@testable import SpringbarService
@testable import UnsplashClient

/// A BlurHash, drawn in a size that the input selects.
@Sendable
func fuzzBlurHash(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let (width, height) = (1 + input.count(upTo: 63), 1 + input.count(upTo: 63))
    let text = String(decoding: input.rest(), as: UTF8.self)
    if let hash = BlurHash(text) {
        require(1...9 ~= hash.horizontal && 1...9 ~= hash.vertical, "\(hash.horizontal) by \(hash.vertical) components")
        require(hash.pixels(width: width, height: height).count == width * height, "pixels are missing")
    }
    for placeholder in [Placeholder(blurHash: text, color: nil), Placeholder(blurHash: nil, color: text)] {
        let png = placeholder.png(width: width, height: height)
        guard case .header(let header) = PictureHeader.read(png), header.type == .png else { fail("not a PNG") }
        require(header.size.width <= width && header.size.height <= height, "larger than requested")
        require(placeholder.dataURI(portrait: width < height).utf8.count < 400, "the data URI is too long")
    }
}

/// The beginning of a picture.
///
/// The number of bytes that arrive at a time must not matter.
@Sendable
func fuzzPicture(_ bytes: [UInt8]) {
    let reading = PictureHeader.read(bytes)
    guard case .header(let header) = reading else {
        // More bytes can only change a result that needs more.
        if case .unknownType = reading { require(PictureHeader.read(bytes + [0]) == .unknownType, "it becomes known") }
        return
    }
    require(header.size.width > 0 && header.size.height > 0, "a picture without a size")
    require(header.size.area > 0, "the area overflows")
    require(PictureHeader.read(bytes + [0xFF, 0]) == reading, "more bytes change the size")
    for count in 0..<min(bytes.count, 64) {
        switch PictureHeader.read(Array(bytes.prefix(count))) {
        case .needsMore: continue
        case .header(let early): require(early == header, "\(count) bytes have another size")
        case .unknownType: require(count < 16, "\(count) bytes of a picture are of an unknown type")
        }
    }
}

private let feeds: [Feed] = [
    .editorial, .search("x"), .topic("t", order: .latest, orientation: nil),
    .collection("1", orientation: .portrait),
]

/// A cursor: as text, forged with a valid checksum, and damaged.
@Sendable
func fuzzCursor(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for feed in feeds {
        if let cursor = PageCursor(text, for: feed) {
            require(PageCursor(cursor.text(for: feed), for: feed) == cursor, "")
        }
    }

    // The first byte selects the feed; the rest is the content of the cursor before its checksum.
    var input = Input(bytes)
    let feed = input.choice(feeds)
    let other = input.choice(feeds)
    let damage = (Int(input.byte()), input.byte())
    var payload = input.rest()
    if payload.isEmpty { return }
    payload[0] = 2
    let checksum = SipHash.hash(payload + Array(feed.identity.utf8))
    var whole = payload + (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (56 - 8 * UInt64($0))) }
    let forged = Base64.encode(whole, .url)
    if let cursor = PageCursor(forged, for: feed) {
        require(PageCursor(cursor.text(for: feed), for: feed) == PageCursor(forged, for: feed), "not parsed back")
        if other != feed { require(PageCursor(forged, for: other) == nil, "another feed accepts the cursor") }
        whole[damage.0 % whole.count] ^= damage.1
        if damage.1 != 0 { require(PageCursor(Base64.encode(whole, .url), for: feed) == nil, "damage is accepted") }
    }
    let library = FuzzedLibrary(status: 200, fields: ["link": "<x>; rel=\"next\""], content: Photos.page)
    let service = PhotoService(.init(library: .sandbox), library: library)
    let request = Request(method: .get, target: Target("/v1/photos?limit=10&cursor=\(forged)"))
    let answer = Service.application(around: service).answer(request)
    require([200, 400].contains(answer.status), "\(answer.status) for a cursor")
}

/// A Link field of the library, the address in it, and the service's own Link fields.
@Sendable
func fuzzLink(_ bytes: [UInt8]) {
    var input = Input(bytes)
    let (page, perPage, total) = (1 + input.count(upTo: 255), 1 + input.count(upTo: 29), input.count(upTo: 255) * 7)
    let text = String(decoding: input.rest(), as: UTF8.self)
    func hasNext(_ field: String) -> Bool {
        LinkField.hasNext(in: field) ?? false
    }
    // The relation of a well-formed field is found, for any address.
    let address = String(text.unicodeScalars.filter { $0.isASCII && $0 != "<" && $0 != ">" })
    require(hasNext("<\(address)>; rel=\"next\""), "a relation is not found")
    require(!hasNext("<\(address)>; rel=\"prev\""), "a relation that does not exist is found")

    if let web = WebAddress(text) {
        require(web.scheme == "http" || web.scheme == "https", "\(web.scheme) is accepted")
        require(1...65_535 ~= web.port && !web.host.isEmpty && web.target.hasPrefix("/"), "\(web)")
        require(WebAddress(web.text)?.host == web.host, "\(web.text) is parsed back with another host")
    }
    let origins = WebAddress.origins(of: ["images.example"], allowsHTTP: false)
    if let web = WebAddress(text), origins.contains(where: web.isAt) {
        require(text.lowercased().contains("images.example") || text.contains("%"), "\(text) is accepted")
    }

    let query = text.utf8.map { "%\(UInt8($0) < 16 ? "0" : "")\(String($0, radix: 16))" }.joined()
    let library = FuzzedLibrary(status: 200, fields: ["x-total": "\(total)"], content: Photos.page)
    let request = Request(
        method: .get,
        target: Target("/unsplash/photos?order_by=\(query)&page=\(page)&per_page=\(perPage)")
    )
    let answer = Service.application(around: PhotoService(.init(library: .sandbox), library: library)).answer(request)
    guard answer.status == 200, let field = answer.fields[.link] else { return }
    require(hasNext(field) == (page * perPage < total), "\(field) with a total of \(total)")
    require(field.count { $0 == "<" } == field.count { $0 == ";" }, "\(field) has another link in it")
}

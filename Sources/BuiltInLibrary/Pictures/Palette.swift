/// An encoded sRGB colour, each channel in `0 ... 1`.
typealias Color = SIMD3<Float>

extension SIMD3<Float> {
    /// A colour from `0xRRGGBB`.
    init(hex: UInt32) {
        self = SIMD3(Float(hex >> 16 & 0xFF), Float(hex >> 8 & 0xFF), Float(hex & 0xFF)) / 255
    }

    /// The colour `fraction` of the way to `other`.
    func mixed(with other: Color, _ fraction: Float) -> Color { self + (other - self) * fraction }
}

/// The colours of a picture, and the words for them.
struct Palette: Sendable {
    /// The sky at the zenith, halfway down and at the horizon.
    let zenith: Color
    let middle: Color
    let horizon: Color
    /// The sun, the moon or the northern lights.
    let light: Color
    /// The farthest and the nearest land or water.
    let far: Color
    let near: Color
    /// The upstream's name of the hue (its search filter `color`).
    let hue: String
    /// The end of a sentence, such as `at dawn`.
    let time: String

    private init(_ row: TextRow) {
        let colors = row.require(1).split(separator: " ").map { Color(hex: UInt32($0, radix: 16) ?? 0) }
        precondition(colors.count == 6, "a palette has six colours")
        (zenith, middle, horizon, light, far, near) = (colors[0], colors[1], colors[2], colors[3], colors[4], colors[5])
        (hue, time) = (row.require(2), row.require(3))
    }

    /// The palettes that fit a subject; a forest has those of the mountains behind it.
    static func all(of subject: Subject) -> [Palette] {
        all[subject == .forest ? Subject.mountains.rawValue : subject.rawValue] ?? []
    }

    /// The palettes by their subjects: zenith, middle, horizon, light, far, near; hue; time.
    private static let all = Dictionary(
        grouping: TextRow.all(
            of: """
                mountains | 2B3A67 B1899B FBD9B0 FFF1D0 C79BA8 1E2340 | purple | at dawn
                mountains | 0E2148 4E75A8 D3DDE0 FDF6E3 8FAAC8 0A1630 | blue | in the blue hour
                mountains | 2E6FB7 88BCE6 F0F4EE FFFBEA B3CADB 26465F | blue | on a clear day
                mountains | 3A1C3B C65B4A FFCF7A FFF3C4 C96A52 1C1020 | orange | after sunset
                mountains | 4F8A8B A6CBC2 F6F2E0 FFFDF2 B4D0C6 16343A | teal | in the morning mist
                mountains | 55595F A6AAAE EDEDEB FFFFFF ABAEB1 1C1E21 | black_and_white | before the rain
                dunes | 3F6CA8 BBC4C6 F9E8C9 FFF8E1 E8C493 8A4B22 | orange | in the afternoon
                dunes | 4A3F73 CD9395 FDE3C8 FFF0DC E9B097 6A2F3A | red | at first light
                dunes | 3E8FBF B0D6E3 FBF6EA FFFFFF F3EADC A8917E | white | at noon
                dunes | 141A3C 645684 D9A79A F6EBD2 9C7A8C 241A36 | magenta | under the moon
                sea | 27407A BE7474 FFD27F FFF4CF E79A6B 1B2A4E | orange | at sunset
                sea | 1E1B4B 8E5796 F8B9A8 FFE8D6 B874A0 181440 | magenta | at dusk
                sea | 0F4C5C 5FB0B2 E7F5DE FFFFF0 79BEB8 0A3440 | teal | on a still morning
                sea | 3D4A57 94A1AA E4E4DE FFFDF5 A3AEB4 27323C | black_and_white | under a silver sky
                sea | 0A1130 2A4377 9BB3C9 F7F3E3 54719C 060B20 | blue | by moonlight
                sea | 5E8FC4 CDCDD2 FFEEC2 FFFBE0 C9C6C4 3A6486 | yellow | in early summer
                aurora | 050B1E 0F2D45 2B6A66 6BF2A8 14323C 04080F | green | in a winter night
                aurora | 0A0820 2B1D57 5A4A8E 7CE8D0 251C4A 060410 | purple | at minus twenty degrees
                aurora | 03101C 0B3948 3E7F78 A8F07C 0F3540 020A10 | teal | past midnight
                meadows | 3B82C4 A3CDE9 F5F5E4 FFFDE8 A9CFA3 2F6B35 | green | in spring
                meadows | 6C7FB5 C7B9D5 FCE9D4 FFF5E0 B9A6D3 4B3A78 | purple | in July
                meadows | 5C88A8 CCCCB6 FBE7BC FFF6D6 E0B568 7A4A1C | yellow | in October
                meadows | 35597A A3BBBE F2EAD2 FFF9E6 93B2A2 1D4038 | green | after the rain
                """
        ),
        by: { $0.require(0) }
    ).mapValues { $0.map(Palette.init) }
}

/// A kind of place that a picture shows; each has the same share of the library.
enum Subject: String, Sendable, CaseIterable {
    case mountains, dunes, sea, aurora, meadows, forest

    /// The range of the horizon, and the height and the roughness of crests, as fractions of the picture's height.
    var shape: (horizons: ClosedRange<Float>, amplitude: Float, octaves: Int) {
        switch self {
        case .mountains: (0.5...0.66, 0.14, 6)
        case .forest: (0.5...0.66, 0.07, 6)
        case .dunes: (0.46...0.62, 0.07, 1)
        case .meadows: (0.46...0.62, 0.07, 3)
        case .sea: (0.52...0.66, 0.03, 6)
        case .aurora: (0.72...0.84, 0.07, 3)
        }
    }
}

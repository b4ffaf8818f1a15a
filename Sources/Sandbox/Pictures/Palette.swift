/// An encoded sRGB colour, each channel in `0 ... 1`.
typealias Color = SIMD3<Float>

extension SIMD3<Float> {
    /// A colour from `0xRRGGBB`.
    init(hex: UInt32) {
        self = SIMD3(Float(hex >> 16 & 0xFF), Float(hex >> 8 & 0xFF), Float(hex & 0xFF)) / 255
    }

    /// The colour `fraction` of the way to `other`.
    func mixed(with other: Color, _ fraction: Float) -> Color {
        self + (other - self) * fraction
    }
}

/// The colours of a picture, and the words for them.
struct Palette: Sendable {
    /// The sky at the zenith, halfway down and at the horizon.
    var zenith: Color
    var middle: Color
    var horizon: Color
    /// The sun, the moon or the northern lights.
    var light: Color
    /// The farthest and the nearest land or water.
    var far: Color
    var near: Color
    /// The upstream's name of the hue (its search filter `color`).
    let hue: String
    /// The end of a sentence, such as `at dawn`.
    let time: String

    private init(
        _ zenith: UInt32,
        _ middle: UInt32,
        _ horizon: UInt32,
        _ light: UInt32,
        _ far: UInt32,
        _ near: UInt32,
        _ hue: String,
        _ time: String
    ) {
        self.zenith = Color(hex: zenith)
        self.middle = Color(hex: middle)
        self.horizon = Color(hex: horizon)
        self.light = Color(hex: light)
        self.far = Color(hex: far)
        self.near = Color(hex: near)
        self.hue = hue
        self.time = time
    }

    /// The palette with every channel multiplied by one of `tint`.
    func tinted(_ tint: Color) -> Palette {
        var palette = self
        for path in [\Palette.zenith, \.middle, \.horizon, \.light, \.far, \.near] { palette[keyPath: path] *= tint }
        return palette
    }

    // Zenith, middle, horizon, light, far, near, hue, time.

    static let mountains = [
        Palette(0x2B3A67, 0xB1899B, 0xFBD9B0, 0xFFF1D0, 0xC79BA8, 0x1E2340, "purple", "at dawn"),
        Palette(0x0E2148, 0x4E75A8, 0xD3DDE0, 0xFDF6E3, 0x8FAAC8, 0x0A1630, "blue", "in the blue hour"),
        Palette(0x2E6FB7, 0x88BCE6, 0xF0F4EE, 0xFFFBEA, 0xB3CADB, 0x26465F, "blue", "on a clear day"),
        Palette(0x3A1C3B, 0xC65B4A, 0xFFCF7A, 0xFFF3C4, 0xC96A52, 0x1C1020, "orange", "after sunset"),
        Palette(0x4F8A8B, 0xA6CBC2, 0xF6F2E0, 0xFFFDF2, 0xB4D0C6, 0x16343A, "teal", "in the morning mist"),
        Palette(0x55595F, 0xA6AAAE, 0xEDEDEB, 0xFFFFFF, 0xABAEB1, 0x1C1E21, "black_and_white", "before the rain"),
    ]

    static let dunes = [
        Palette(0x3F6CA8, 0xBBC4C6, 0xF9E8C9, 0xFFF8E1, 0xE8C493, 0x8A4B22, "orange", "in the afternoon"),
        Palette(0x4A3F73, 0xCD9395, 0xFDE3C8, 0xFFF0DC, 0xE9B097, 0x6A2F3A, "red", "at first light"),
        Palette(0x3E8FBF, 0xB0D6E3, 0xFBF6EA, 0xFFFFFF, 0xF3EADC, 0xA8917E, "white", "at noon"),
        Palette(0x141A3C, 0x645684, 0xD9A79A, 0xF6EBD2, 0x9C7A8C, 0x241A36, "magenta", "under the moon"),
    ]

    static let sea = [
        Palette(0x27407A, 0xBE7474, 0xFFD27F, 0xFFF4CF, 0xE79A6B, 0x1B2A4E, "orange", "at sunset"),
        Palette(0x1E1B4B, 0x8E5796, 0xF8B9A8, 0xFFE8D6, 0xB874A0, 0x181440, "magenta", "at dusk"),
        Palette(0x0F4C5C, 0x5FB0B2, 0xE7F5DE, 0xFFFFF0, 0x79BEB8, 0x0A3440, "teal", "on a still morning"),
        Palette(0x3D4A57, 0x94A1AA, 0xE4E4DE, 0xFFFDF5, 0xA3AEB4, 0x27323C, "black_and_white", "under a silver sky"),
        Palette(0x0A1130, 0x2A4377, 0x9BB3C9, 0xF7F3E3, 0x54719C, 0x060B20, "blue", "by moonlight"),
        Palette(0x5E8FC4, 0xCDCDD2, 0xFFEEC2, 0xFFFBE0, 0xC9C6C4, 0x3A6486, "yellow", "in early summer"),
    ]

    static let aurora = [
        Palette(0x050B1E, 0x0F2D45, 0x2B6A66, 0x6BF2A8, 0x14323C, 0x04080F, "green", "in a winter night"),
        Palette(0x0A0820, 0x2B1D57, 0x5A4A8E, 0x7CE8D0, 0x251C4A, 0x060410, "purple", "at minus twenty degrees"),
        Palette(0x03101C, 0x0B3948, 0x3E7F78, 0xA8F07C, 0x0F3540, 0x020A10, "teal", "past midnight"),
    ]

    static let meadows = [
        Palette(0x3B82C4, 0xA3CDE9, 0xF5F5E4, 0xFFFDE8, 0xA9CFA3, 0x2F6B35, "green", "in spring"),
        Palette(0x6C7FB5, 0xC7B9D5, 0xFCE9D4, 0xFFF5E0, 0xB9A6D3, 0x4B3A78, "purple", "in July"),
        Palette(0x5C88A8, 0xCCCCB6, 0xFBE7BC, 0xFFF6D6, 0xE0B568, 0x7A4A1C, "yellow", "in October"),
        Palette(0x35597A, 0xA3BBBE, 0xF2EAD2, 0xFFF9E6, 0x93B2A2, 0x1D4038, "green", "after the rain"),
    ]
}

/// A mood of light: colours that were chosen together, and the words that a photographer would use for it.
struct Palette: Sendable {
    /// From the zenith to the horizon.
    var sky: [Color]
    var light: Color
    /// The farthest and the nearest land, or water.
    var far: Color
    var near: Color
    /// The upstream's name of the hue (its search filter `color`).
    var hue: String
    /// Such as `at dawn`; ends a sentence.
    var time: String

    private init(_ sky: [UInt32], light: UInt32, far: UInt32, near: UInt32, hue: String, time: String) {
        self.sky = sky.map { Color($0) }
        self.light = Color(light)
        self.far = Color(far)
        self.near = Color(near)
        self.hue = hue
        self.time = time
    }

    static let mountains = [
        Palette(
            [0x2B3A67, 0x7A6C9D, 0xE8A598, 0xFBD9B0],
            light: 0xFFF1D0,
            far: 0xC79BA8,
            near: 0x1E2340,
            hue: "purple",
            time: "at dawn"
        ),
        Palette(
            [0x0E2148, 0x29518C, 0x7399C4, 0xD3DDE0],
            light: 0xFDF6E3,
            far: 0x8FAAC8,
            near: 0x0A1630,
            hue: "blue",
            time: "in the blue hour"
        ),
        Palette(
            [0x2E6FB7, 0x66A6DD, 0xA9D2EE, 0xF0F4EE],
            light: 0xFFFBEA,
            far: 0xB3CADB,
            near: 0x26465F,
            hue: "blue",
            time: "on a clear day"
        ),
        Palette(
            [0x3A1C3B, 0x9B3B4A, 0xF07B4A, 0xFFCF7A],
            light: 0xFFF3C4,
            far: 0xC96A52,
            near: 0x1C1020,
            hue: "orange",
            time: "after sunset"
        ),
        Palette(
            [0x4F8A8B, 0x86B8B1, 0xC6DED2, 0xF6F2E0],
            light: 0xFFFDF2,
            far: 0xB4D0C6,
            near: 0x16343A,
            hue: "teal",
            time: "in the morning mist"
        ),
        Palette(
            [0x55595F, 0x8A8E94, 0xC2C5C8, 0xEDEDEB],
            light: 0xFFFFFF,
            far: 0xABAEB1,
            near: 0x1C1E21,
            hue: "black_and_white",
            time: "before the rain"
        ),
    ]

    static let dunes = [
        Palette(
            [0x3F6CA8, 0x8FB2D0, 0xE6D6BC, 0xF9E8C9],
            light: 0xFFF8E1,
            far: 0xE8C493,
            near: 0x8A4B22,
            hue: "orange",
            time: "in the afternoon"
        ),
        Palette(
            [0x4A3F73, 0xA8728F, 0xF2B49B, 0xFDE3C8],
            light: 0xFFF0DC,
            far: 0xE9B097,
            near: 0x6A2F3A,
            hue: "red",
            time: "at first light"
        ),
        Palette(
            [0x3E8FBF, 0x8AC3DB, 0xD6E9EA, 0xFBF6EA],
            light: 0xFFFFFF,
            far: 0xF3EADC,
            near: 0xA8917E,
            hue: "white",
            time: "at noon"
        ),
        Palette(
            [0x141A3C, 0x3B3F74, 0x8C6C93, 0xD9A79A],
            light: 0xF6EBD2,
            far: 0x9C7A8C,
            near: 0x241A36,
            hue: "magenta",
            time: "under the moon"
        ),
    ]

    static let sea = [
        Palette(
            [0x27407A, 0x8C5E8A, 0xF08A5D, 0xFFD27F],
            light: 0xFFF4CF,
            far: 0xE79A6B,
            near: 0x1B2A4E,
            hue: "orange",
            time: "at sunset"
        ),
        Palette(
            [0x1E1B4B, 0x5B3F8C, 0xC06FA0, 0xF8B9A8],
            light: 0xFFE8D6,
            far: 0xB874A0,
            near: 0x181440,
            hue: "magenta",
            time: "at dusk"
        ),
        Palette(
            [0x0F4C5C, 0x2F8F9D, 0x8ED1C6, 0xE7F5DE],
            light: 0xFFFFF0,
            far: 0x79BEB8,
            near: 0x0A3440,
            hue: "teal",
            time: "on a still morning"
        ),
        Palette(
            [0x3D4A57, 0x74838F, 0xB4BEC4, 0xE4E4DE],
            light: 0xFFFDF5,
            far: 0xA3AEB4,
            near: 0x27323C,
            hue: "black_and_white",
            time: "under a silver sky"
        ),
        Palette(
            [0x0A1130, 0x182A5C, 0x3C5C92, 0x9BB3C9],
            light: 0xF7F3E3,
            far: 0x54719C,
            near: 0x060B20,
            hue: "blue",
            time: "by moonlight"
        ),
        Palette(
            [0x5E8FC4, 0xA6C1DE, 0xF4D9C6, 0xFFEEC2],
            light: 0xFFFBE0,
            far: 0xC9C6C4,
            near: 0x3A6486,
            hue: "yellow",
            time: "in early summer"
        ),
    ]

    static let aurora = [
        Palette(
            [0x050B1E, 0x0B1F3A, 0x123B4F, 0x2B6A66],
            light: 0x6BF2A8,
            far: 0x14323C,
            near: 0x04080F,
            hue: "green",
            time: "in a winter night"
        ),
        Palette(
            [0x0A0820, 0x1D1442, 0x38266B, 0x5A4A8E],
            light: 0x7CE8D0,
            far: 0x251C4A,
            near: 0x060410,
            hue: "purple",
            time: "at minus twenty degrees"
        ),
        Palette(
            [0x03101C, 0x07283A, 0x0E4A55, 0x3E7F78],
            light: 0xA8F07C,
            far: 0x0F3540,
            near: 0x020A10,
            hue: "teal",
            time: "past midnight"
        ),
    ]

    static let meadows = [
        Palette(
            [0x3B82C4, 0x7FB8E3, 0xC7E2EE, 0xF5F5E4],
            light: 0xFFFDE8,
            far: 0xA9CFA3,
            near: 0x2F6B35,
            hue: "green",
            time: "in spring"
        ),
        Palette(
            [0x6C7FB5, 0xA9A9D2, 0xE5C9D8, 0xFCE9D4],
            light: 0xFFF5E0,
            far: 0xB9A6D3,
            near: 0x4B3A78,
            hue: "purple",
            time: "in July"
        ),
        Palette(
            [0x5C88A8, 0xA6BFC4, 0xF1D9A8, 0xFBE7BC],
            light: 0xFFF6D6,
            far: 0xE0B568,
            near: 0x7A4A1C,
            hue: "yellow",
            time: "in October"
        ),
        Palette(
            [0x35597A, 0x7C9FB0, 0xC9D6CB, 0xF2EAD2],
            light: 0xFFF9E6,
            far: 0x93B2A2,
            near: 0x1D4038,
            hue: "green",
            time: "after the rain"
        ),
    ]
}

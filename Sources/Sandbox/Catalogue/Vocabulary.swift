/// The words of a subject for descriptions, slugs and tags.
struct Vocabulary: Sendable {
    /// Alternative descriptions, to which the time of day is appended.
    let altDescriptions: [String]
    /// Descriptions by photographers, in many scripts.
    let captions: [String]
    let tags: [String]
    /// The subject in a slug, by language.
    let slugWords: [(language: String, words: String)]

    static func of(_ subject: Subject) -> Vocabulary {
        switch subject {
        case .mountains: mountains
        case .dunes: dunes
        case .sea: sea
        case .aurora: aurora
        case .meadows: meadows
        case .forest: forest
        }
    }

    private static let mountains = Vocabulary(
        altDescriptions: [
            "a range of mountains fading into the distance", "layers of mountain ridges under a wide sky",
            "a low sun above jagged peaks", "blue mountains behind darker mountains",
        ],
        captions: [
            "Seven ridges. I counted twice.", "山のむこうの、そのまた山 🏔️", "\"Nur noch bis zum nächsten Grat\", sagte sie.",
            "Height > comfort < view", "Горы, которые не кончаются", "Paper mountains & a paper sun",
        ],
        tags: ["mountain", "ridge", "peak", "mist", "landscape"],
        slugWords: [
            ("es", "capas-de-montanas"), ("ja", "重なる山並み"), ("fr", "crêtes-de-montagne"), ("de", "bergketten-im-dunst"),
        ]
    )

    private static let dunes = Vocabulary(
        altDescriptions: [
            "sand dunes with soft shadows", "a desert of rolling dunes under a pale sky",
            "the crest of a dune in warm light",
        ],
        captions: [
            "The wind signs every morning.", "الرمل يتذكر الريح", "Nobody. Nothing. Everywhere. 🏜️",
            "50 °C & 0 % regrets",
            "¿Quién movió la duna?", "砂の海",
        ],
        tags: ["desert", "dune", "sand", "minimal", "landscape"],
        slugWords: [("es", "dunas-de-arena"), ("ja", "砂丘の影"), ("fr", "dunes-de-sable"), ("de", "sandduenen-im-licht")]
    )

    private static let sea = Vocabulary(
        altDescriptions: [
            "the sun low over a calm sea", "a path of light on open water",
            "a body of water with the sun on the horizon",
        ],
        captions: [
            "Glitter, but make it geography ✨", "Θάλασσα, 06:14", "The \"last\" swim of the year (it wasn't)",
            "바다는 늘 새것이다",
            "Low tide <-> high hopes", "Maré cheia.",
        ],
        tags: ["sea", "ocean", "sunset", "water", "horizon"],
        slugWords: [
            ("es", "sol-sobre-el-mar"), ("ja", "海に沈む夕日"), ("fr", "soleil-sur-la-mer"), ("de", "sonne-ueber-dem-meer"),
        ]
    )

    private static let aurora = Vocabulary(
        altDescriptions: [
            "northern lights above a dark forest", "green curtains of light in a starry sky",
            "an aurora over distant mountains",
        ],
        captions: [
            "We heard it. I swear we heard it.", "Северное сияние, −24 °C ❄️", "Kp 6 & cold toes", "オーロラの夜、息が凍る",
            "He said \"five more minutes\" at 22:10. It is 03:40.", "🌌",
        ],
        tags: ["aurora", "night", "stars", "winter", "sky"],
        slugWords: [
            ("es", "aurora-boreal"), ("ja", "オーロラの夜空"), ("fr", "aurore-boréale"), ("de", "nordlicht-ueber-dem-wald"),
        ]
    )

    private static let meadows = Vocabulary(
        altDescriptions: [
            "rolling hills under a soft sky", "a meadow with gentle slopes", "fields and hills one behind the other",
        ],
        captions: [
            "Hill, hill, hill, lunch.", "घास, हवा, धूप 🌿", "Where the map says \"nothing\"", "Feld & Wiese",
            "גבעות אחרי הגשם",
            "A < B < C, but as hills",
        ],
        tags: ["meadow", "hill", "field", "spring", "landscape"],
        slugWords: [("es", "colinas-suaves"), ("ja", "なだらかな丘"), ("fr", "collines-douces"), ("de", "sanfte-huegel")]
    )

    private static let forest = Vocabulary(
        altDescriptions: [
            "fir trees in front of hazy mountains", "a forest of tall firs in the mist", "rows of trees on a hillside",
        ],
        captions: [
            "The forest had opinions.", "Wald. Nebel. Stille.", "나무, 나무, 나무 🌲🌲🌲", "\"It's only a short hike\"",
            "Kuusimetsä & kahvi",
            "雾中的树",
        ],
        tags: ["forest", "tree", "fir", "mist", "mountain"],
        slugWords: [
            ("es", "abetos-en-la-niebla"), ("ja", "霧の中の樅の木"), ("fr", "sapins-dans-la-brume"), ("de", "tannen-im-nebel"),
        ]
    )
}

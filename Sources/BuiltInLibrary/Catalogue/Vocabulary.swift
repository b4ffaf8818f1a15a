/// The words of a subject for descriptions, slugs and tags.
struct Vocabulary: Sendable {
    /// Alternative descriptions, to which the time of day is appended.
    private(set) var altDescriptions: [String] = []
    /// Descriptions by photographers, in many scripts.
    private(set) var captions: [String] = []
    private(set) var tags: [String] = []
    /// The subject in a slug, by language.
    private(set) var slugWords: [(language: String, words: String)] = []

    static func of(_ subject: Subject) -> Vocabulary { all[subject] ?? Vocabulary() }

    private static let all = TextRow.all(of: table).reduce(into: [Subject: Vocabulary]()) { all, row in
        guard let subject = Subject(rawValue: row.require(0)) else { preconditionFailure("no such subject: \(row)") }
        var words = all[subject] ?? Vocabulary()
        let texts = row.texts(from: 2)
        switch row.require(1) {
        case "alt": words.altDescriptions += texts
        case "caption": words.captions += texts
        case "tag": words.tags += texts
        default: words.slugWords += texts.map { ("\($0.prefix(2))", "\($0.dropFirst(3))") }
        }
        all[subject] = words
    }

    /// Subject, kind of texts, texts; a slug begins with its language.
    private static let table = """
        mountains | alt | a range of mountains fading into the distance | layers of mountain ridges under a wide sky
        mountains | alt | a low sun above jagged peaks | blue mountains behind darker mountains
        mountains | caption | Seven ridges. I counted twice. | 山のむこうの、そのまた山 🏔️
        mountains | caption | "Nur noch bis zum nächsten Grat", sagte sie. | Height > comfort < view
        mountains | caption | Горы, которые не кончаются | Paper mountains & a paper sun
        mountains | tag | mountain | ridge | peak | mist | landscape
        mountains | slug | es capas-de-montanas | ja 重なる山並み | fr crêtes-de-montagne | de bergketten-im-dunst
        dunes | alt | sand dunes with soft shadows | a desert of rolling dunes under a pale sky
        dunes | alt | the crest of a dune in warm light
        dunes | caption | The wind signs every morning. | الرمل يتذكر الريح | Nobody. Nothing. Everywhere. 🏜️
        dunes | caption | 50 °C & 0 % regrets | ¿Quién movió la duna? | 砂の海
        dunes | tag | desert | dune | sand | minimal | landscape
        dunes | slug | es dunas-de-arena | ja 砂丘の影 | fr dunes-de-sable | de sandduenen-im-licht
        sea | alt | the sun low over a calm sea | a path of light on open water
        sea | alt | a body of water with the sun on the horizon
        sea | caption | Glitter, but make it geography ✨ | Θάλασσα, 06:14
        sea | caption | The "last" swim of the year (it wasn't) | 바다는 늘 새것이다 | Low tide <-> high hopes | Maré cheia.
        sea | tag | sea | ocean | sunset | water | horizon
        sea | slug | es sol-sobre-el-mar | ja 海に沈む夕日 | fr soleil-sur-la-mer | de sonne-ueber-dem-meer
        aurora | alt | northern lights above a dark forest | green curtains of light in a starry sky
        aurora | alt | an aurora over distant mountains
        aurora | caption | We heard it. I swear we heard it. | Северное сияние, −24 °C ❄️ | Kp 6 & cold toes
        aurora | caption | オーロラの夜、息が凍る | He said "five more minutes" at 22:10. It is 03:40. | 🌌
        aurora | tag | aurora | night | stars | winter | sky
        aurora | slug | es aurora-boreal | ja オーロラの夜空 | fr aurore-boréale | de nordlicht-ueber-dem-wald
        meadows | alt | rolling hills under a soft sky | a meadow with gentle slopes
        meadows | alt | fields and hills one behind the other
        meadows | caption | Hill, hill, hill, lunch. | घास, हवा, धूप 🌿 | Where the map says "nothing" | Feld & Wiese
        meadows | caption | גבעות אחרי הגשם | A < B < C, but as hills
        meadows | tag | meadow | hill | field | spring | landscape
        meadows | slug | es colinas-suaves | ja なだらかな丘 | fr collines-douces | de sanfte-huegel
        forest | alt | fir trees in front of hazy mountains | a forest of tall firs in the mist
        forest | alt | rows of trees on a hillside
        forest | caption | The forest had opinions. | Wald. Nebel. Stille. | 나무, 나무, 나무 🌲🌲🌲 | "It's only a short hike"
        forest | caption | Kuusimetsä & kahvi | 雾中的树
        forest | tag | forest | tree | fir | mist | mountain
        forest | slug | es abetos-en-la-niebla | ja 霧の中の樅の木 | fr sapins-dans-la-brume | de tannen-im-nebel
        """
}

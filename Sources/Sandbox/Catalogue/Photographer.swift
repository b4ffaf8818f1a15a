/// A fictional photographer of the library.
struct Photographer: Sendable {
    let username: String
    let firstName: String
    let lastName: String?
    let bio: String?
    let location: String?
    let portfolio: String?
    let instagram: String?

    var name: String { lastName.map { "\(firstName) \($0)" } ?? firstName }

    private init(
        _ username: String,
        _ firstName: String,
        _ lastName: String? = nil,
        bio: String? = nil,
        location: String? = nil,
        portfolio: String? = nil,
        instagram: String? = nil
    ) {
        self.username = username
        self.firstName = firstName
        self.lastName = lastName
        self.bio = bio
        self.location = location
        self.portfolio = portfolio
        self.instagram = instagram
    }

    /// The `sponsor` of sponsored photos.
    static let sponsor = Photographer(
        "lanternworks",
        "Lantern",
        "Works",
        bio: "Lamps for tents, boats & late readers.",
        location: nil,
        portfolio: "https://lanternworks.example/lamps?from=library&lang=en",
        instagram: "lanternworks"
    )

    /// The photographers, with texts that clients may mishandle: a single name, other scripts, quotes, an apostrophe,
    /// angle brackets, an ampersand, right-to-left text, emoji of several code points, line breaks.
    static let all = [
        Photographer(
            "maren_holt",
            "Maren",
            "Holt",
            bio: "Fjords, mostly before breakfast ☕️",
            location: "Ålesund, Norway",
            instagram: "maren.holt"
        ),
        Photographer(
            "tomaszewska",
            "Łucja",
            "Tomaszewska",
            bio: "Slow light, long walks.",
            location: "Zakopane, Polska"
        ),
        Photographer("yuki-arai", "新井", "由紀", bio: "山と霧を撮っています。", location: "長野県", portfolio: "https://arai.example/"),
        Photographer(
            "o_brien_films",
            "Niamh",
            "O'Brien",
            bio: "\"One more ridge\" — every single time",
            location: "Co. Kerry, Éire"
        ),
        Photographer("seojin", "김서진", bio: "바다와 사막 사이 🏜️🌊", location: "부산", instagram: "seojin.frames"),
        Photographer(
            "pixelgarden",
            "pixel <garden>",
            bio: "I <3 gradients & \"quiet\" skies",
            portfolio: "https://pixelgarden.example/?a=1&b=2"
        ),
        Photographer("amal_haddad", "أمل", "حداد", bio: "أصور الصحراء عند الغروب", location: "عمّان"),
        Photographer("dmitry.k", "Дмитрий", "Ковалёв", bio: "Северное сияние и тишина", location: "Мурманск"),
        Photographer("zoe-papadaki", "Ζωή", "Παπαδάκη", location: "Χανιά, Κρήτη"),
        Photographer("anjali_rao", "अंजलि", "राव", bio: "पहाड़ों की सुबह 🌄", location: "मनाली"),
        Photographer("luz", "Luz", bio: "Dunas.\r\nViento.\r\nSilencio.", location: "Dakhla"),
        Photographer(
            "family_of_four",
            "The 👨‍👩‍👧‍👦 Lindqvists",
            bio: "Four people, one camera, no tripod",
            location: "Gävle, Sverige"
        ),
        Photographer("henrik-voss", "Henrik", "Voß", bio: nil, location: "Garmisch-Partenkirchen", instagram: "hvoss"),
        Photographer("noor.img", "Noor", "de Vries", bio: "Flat country, big skies.", location: "Terschelling"),
        Photographer("tala", "Tala", "Reyes-Ó Súilleabháin", bio: "Hyphens & accents since 1994", location: nil),
        Photographer(
            "quiet_coast",
            "Ines",
            "Carvalho",
            bio: "",
            location: "Nazaré, Portugal",
            portfolio: "https://quiet-coast.example/"
        ),
        Photographer("weiming", "魏", "明", bio: "云海、沙丘、极光", location: "甘肃"),
        Photographer(
            "b-r-o-o-k",
            "Brook",
            "Ashdown",
            bio: "Film when I can, pixels when I must.",
            location: "Tasmania"
        ),
        Photographer("elif_deniz", "Elif", "Deniz", bio: "İyi ışık, iyi gün.", location: "Kapadokya"),
        Photographer(
            "static-north",
            "Static North",
            bio: "Two humans. Minus twenty. 100% wool.",
            location: "Tromsø",
            instagram: "static.north"
        ),
        Photographer("kwame_a", "Kwame", "Asante", location: "Accra, Ghana", portfolio: "https://kwame.example/work"),
        Photographer("sol-y-sal", "Sol", "y Sal", bio: "¿Mar o montaña? Sí.", location: "Cádiz, España"),
        Photographer("rivka_b", "רבקה", "בן־דוד", bio: "מדבר, ים, שמיים", location: "מצפה רמון"),
        Photographer(
            "longnameisverylongindeed",
            "Wolfeschlegelsteinhausenbergerdorff",
            "von und zu Abendröte-Nebelmeer",
            bio: "Ask for the short form."
        ),
    ]
}

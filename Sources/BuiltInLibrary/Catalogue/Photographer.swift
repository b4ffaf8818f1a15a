/// A fictional photographer of the library.
struct Photographer: Sendable {
    private let row: TextRow

    var username: String { row.require(0) }
    var firstName: String { row.require(1) }
    var lastName: String? { row[2] }
    var name: String { lastName.map { "\(firstName) \($0)" } ?? firstName }
    var bio: String? { row[3] }
    var location: String? { row[4] }
    var portfolio: String? { row[5] }
    var instagram: String? { row[6] }

    /// The photographers, with texts that clients may mishandle: many scripts, quotes, brackets, emoji, line breaks.
    static let all = TextRow.all(
        of: """
            maren_holt | Maren | Holt | Fjords, mostly before breakfast ☕️ | Ålesund, Norway | - | maren.holt
            tomaszewska | Łucja | Tomaszewska | Slow light, long walks. | Zakopane, Polska
            yuki-arai | 新井 | 由紀 | 山と霧を撮っています。 | 長野県 | https://arai.example/
            o_brien_films | Niamh | O'Brien | "One more ridge" — every single time | Co. Kerry, Éire
            seojin | 김서진 | - | 바다와 사막 사이 🏜️🌊 | 부산 | - | seojin.frames
            pixelgarden | pixel <garden> | - | I <3 gradients & "quiet" skies | - | https://pixelgarden.example/?a=1&b=2
            amal_haddad | أمل | حداد | أصور الصحراء عند الغروب | عمّان
            dmitry.k | Дмитрий | Ковалёв | Северное сияние и тишина | Мурманск
            zoe-papadaki | Ζωή | Παπαδάκη | - | Χανιά, Κρήτη
            anjali_rao | अंजलि | राव | पहाड़ों की सुबह 🌄 | मनाली
            luz | Luz | - | Dunas.\r\nViento.\r\nSilencio. | Dakhla
            family_of_four | The 👨‍👩‍👧‍👦 Lindqvists | - | Four people, one camera, no tripod | Gävle, Sverige
            henrik-voss | Henrik | Voß | - | Garmisch-Partenkirchen | - | hvoss
            noor.img | Noor | de Vries | Flat country, big skies. | Terschelling
            tala | Tala | Reyes-Ó Súilleabháin | Hyphens & accents since 1994
            quiet_coast | Ines | Carvalho | | Nazaré, Portugal | https://quiet-coast.example/
            weiming | 魏 | 明 | 云海、沙丘、极光 | 甘肃
            b-r-o-o-k | Brook | Ashdown | Film when I can, pixels when I must. | Tasmania
            elif_deniz | Elif | Deniz | İyi ışık, iyi gün. | Kapadokya
            static-north | Static North | - | Two humans. Minus twenty. 100% wool. | Tromsø | - | static.north
            kwame_a | Kwame | Asante | - | Accra, Ghana | https://kwame.example/work
            sol-y-sal | Sol | y Sal | ¿Mar o montaña? Sí. | Cádiz, España
            rivka_b | רבקה | בן־דוד | מדבר, ים, שמיים | מצפה רמון
            longnameisverylongindeed | Wolfeschlegelsteinhausenbergerdorff | von und zu Abendröte-Nebelmeer \
            | Ask for the short form.
            """
    ).map(Photographer.init)

    /// The advertiser of sponsored photos.
    static let sponsor = TextRow.all(
        of: """
            lanternworks | Lantern | Works | Lamps for tents, boats & late readers. | - \
            | https://lanternworks.example/lamps?from=library&lang=en | lanternworks
            """
    ).map(Photographer.init)[0]
}

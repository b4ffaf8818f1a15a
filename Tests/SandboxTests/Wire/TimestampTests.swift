import Testing

@testable import Sandbox

@Suite("Timestamps")
struct TimestampTests {
    /// From `date -u -d @N +%FT%TZ` of GNU coreutils.
    @Test(
        "Unix times are written as the upstream writes them",
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_704_067_199, "2023-12-31T23:59:59Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_733_743_109, "2024-12-09T11:18:29Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ]
    )
    func text(unixTime: Int, text: String) {
        #expect(Timestamp.text(unixTime) == text)
    }
}

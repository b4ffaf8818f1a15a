import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct FieldNamesTests {
    private func name(_ text: String) -> HTTPField.Name? {
        Array(text.utf8).withUnsafeBufferPointer(FieldNames.name(of:))?.text
    }

    @Test(
        "A known name is found in any case",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE", "cOnTeNt-tYpE"]
    )
    func anyCase(text: String) {
        #expect(name(text) == .contentType)
    }

    @Test("An unknown name is made", arguments: ["X-Springbar", "a", "X-" + String(repeating: "y", count: 200)])
    func unknown(text: String) {
        #expect(name(text)?.rawName == text)
    }

    @Test(
        "A text that is no token has no name, also next to a known one",
        arguments: [
            "", "Host ", " Host", "Ho st", "Host\t", "Content\rType", "Content\u{D}Type", "(", "a:b", "H\u{F6}st",
        ]
    )
    func noToken(text: String) {
        #expect(name(text) == nil)
    }

    @Test("Every byte at every place of a known name gives the name that its text gives")
    func everyByte() {
        for position in 0..<4 {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array("Host".utf8)
                bytes[position] = byte
                let found = bytes.withUnsafeBufferPointer(FieldNames.name(of:))?.text
                #expect(found == HTTPField.Name(String(decoding: bytes, as: UTF8.self)), "\(bytes)")
            }
        }
    }
}

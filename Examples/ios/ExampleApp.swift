import BarLayout
import Foundation
import SpringbarClient
import SwiftUI

/// A list below a bar, in SwiftUI; `FeedController` is the same in UIKit.
@main
struct ExampleApp: App {
    var body: some Scene {
        WindowGroup { FeedView() }
    }
}

struct FeedView: View {
    @StateObject private var bar = BarModel(configuration: .example, service: .example)

    var body: some View {
        ZStack(alignment: .top) {
            ScrollView {
                LazyVStack {
                    ForEach(0..<100, id: \.self) { Text("Row \($0)") }
                }
                .followed(by: bar)
            }
            Color.indigo.frame(height: bar.height)
        }
        .ignoresSafeArea()
    }
}

extension BarConfiguration {
    // `try!`: the heights ascend.
    static let example = try! BarConfiguration(
        compactStateHeight: 100,
        normalStateHeight: 200,
        expandedStateHeight: 300
    )
}

extension Springbar {
    // The simulator reaches a service on the Mac under this address. `!`: the text is a URL.
    static let example = Springbar(URL(string: "http://localhost:8080")!)
}

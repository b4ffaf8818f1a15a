extension Convention {
    /// UIKit's physical spring; its velocity is relative, in travels per second along each axis.
    static let uikit = Convention(
        id: "uikit",
        title: "UISpringTimingParameters(mass:stiffness:damping:initialVelocity:)",
        source: "Apple, UISpringTimingParameters",
        parameters: .massStiffnessDamping,
        read: { values throws(MotionError) in try values.physical() },
        write: { curve in
            let velocity = curve.initialVelocity.snippet
            return curve.physicalWriting(
                snippet: """
                    UISpringTimingParameters(\(curve.physicalMembers()), \
                    initialVelocity: CGVector(dx: \(velocity), dy: \(velocity)))
                    """
            )
        }
    )
}

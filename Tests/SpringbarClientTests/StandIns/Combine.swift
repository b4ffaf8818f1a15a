// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The declarations of Combine that the client uses, as in the SDK.

public protocol ObservableObject: AnyObject {}

@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

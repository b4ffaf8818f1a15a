extension FixedWidthInteger {
    /// Converts a floating-point number to the nearest integer towards zero, clamped to the range of the type.
    ///
    /// `Int(value)` ends the process for NaN, for an infinity and for anything that does not fit. This conversion has an
    /// answer for every value: 0 for NaN, and the nearer bound of the type for numbers outside of them. It is the only
    /// conversion of this kind in the sources; a test finds others (ArchitectureTests).
    @inlinable
    package static func clamping(_ value: Double) -> Self {
        // Nearly every number is an Int64. This conversion takes one instruction, the general one below about 60.
        if abs(value) < 0x1p63 { return Self(clamping: Int64(value)) }
        guard !value.isNaN else { return 0 }
        // A bound of a 64-bit type may round up when it becomes a Double: compare first, so that the conversion below
        // gets only numbers that fit.
        if value >= Double(Self.max) { return Self.max }
        if value <= Double(Self.min) { return Self.min }
        return Self(value)
    }

    /// Converts a floating-point number to the nearest integer towards zero, clamped to a range; the lower bound for NaN.
    @inlinable
    package static func clamping(_ value: Double, to range: ClosedRange<Self>) -> Self {
        guard !value.isNaN else { return range.lowerBound }
        return Swift.min(Swift.max(clamping(value), range.lowerBound), range.upperBound)
    }

    /// Converts a single-precision number; see `clamping(_:)`.
    @inlinable
    @_disfavoredOverload
    package static func clamping(_ value: Float) -> Self {
        clamping(Double(value))
    }

    /// Converts a single-precision number, clamped to a range; see `clamping(_:to:)`.
    @inlinable
    @_disfavoredOverload
    package static func clamping(_ value: Float, to range: ClosedRange<Self>) -> Self {
        clamping(Double(value), to: range)
    }
}

extension FixedWidthInteger {
    /// Converts a floating-point number to the nearest integer towards zero, clamped to the range of the type; NaN to
    /// 0.
    ///
    /// `Int(value)` ends the process for anything that does not fit. ArchitectureTests finds such conversions in the
    /// sources.
    @inlinable
    package static func clamping(_ value: Double) -> Self {
        // Nearly every number is an Int64. This conversion takes one instruction, the general one below about 60.
        if abs(value) < 0x1p63 { return Self(clamping: Int64(value)) }
        guard !value.isNaN else { return 0 }
        // A bound of a 64-bit type may round up when it becomes a Double, so it is compared first.
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
}

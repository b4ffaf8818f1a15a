import CMathematics

/// Resistance beyond a limit: with growing distance of the finger, the content follows less.
public enum Rubberband: Sendable, Hashable {
    /// The article's: sign(x) |x|^exponent, which amplifies below one point; a larger exponent follows the finger more.
    case power(exponent: Double)
    /// UIKit's scroll view: d (1 - 1 / (x c / d + 1)), with the initial slope c, and always below the dimension d.
    case apple(dimension: Double, constant: Double)
    /// The drag of the article's acceleration screen: free up to twice `verticalOffset` points, and its power beyond.
    case accelerationDrag(verticalOffset: Double)

    /// The exponent of the article.
    public static let articleExponent = 0.7
    /// The constant of UIKit's scroll views.
    public static let appleConstant = 0.55

    /// Returns the offset of the content when the finger is `offset` points beyond the limit.
    public func value(offset: Double) -> Double {
        switch self {
        case .power(let exponent):
            return Self.power(offset, exponent)
        case .apple(let dimension, let constant):
            let distance = abs(offset)
            // d c x / (d + c x) equals the usual form, without its difference of nearly equal numbers.
            let value = dimension * (constant * distance) / (dimension + constant * distance)
            return offset < 0 ? -value : value
        case .accelerationDrag(let verticalOffset):
            return Self.drag(offset, from: -2 * verticalOffset, Self.articleExponent)
        }
    }

    /// Returns the offset of the finger when the content is at `value`; nil if none leads there, as beyond a dimension.
    public func offset(value: Double) -> Double? {
        switch self {
        case .power(let exponent):
            return Self.power(value, 1 / exponent)
        case .apple(let dimension, let constant):
            guard abs(value) < dimension else { return nil }
            return value * dimension / (constant * (dimension - abs(value)))
        case .accelerationDrag(let verticalOffset):
            return Self.drag(value, from: -2 * verticalOffset, 1 / Self.articleExponent)
        }
    }

    /// Returns an offset that is free from `end` to 0, and has the power beyond.
    private static func drag(_ offset: Double, from end: Double, _ exponent: Double) -> Double {
        if offset > 0 { return power(offset, exponent) }
        return offset < end ? end + power(offset - end, exponent) : offset
    }

    private static func power(_ offset: Double, _ exponent: Double) -> Double {
        let value = pow(abs(offset), exponent)
        return offset < 0 ? -value : value
    }
}

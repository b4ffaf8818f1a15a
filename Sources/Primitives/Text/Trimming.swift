extension BidirectionalCollection<UInt8> {
    /// Returns the bytes without those at both ends for which `isBlank` returns true.
    package func trimming(while isBlank: (UInt8) -> Bool) -> SubSequence {
        var trimmed = self[...]
        while let first = trimmed.first, isBlank(first) { trimmed.removeFirst() }
        while let last = trimmed.last, isBlank(last) { trimmed.removeLast() }
        return trimmed
    }

    /// Returns the bytes without the spaces and tabs at both ends, the optional whitespace of HTTP (RFC 9110, section
    /// 5.6.3).
    package func trimmingBlanks() -> SubSequence {
        trimming { $0 == 0x20 || $0 == 0x09 }
    }
}

extension Substring {
    /// Returns the text without the spaces and tabs at both ends.
    package func trimmingBlanks() -> Substring {
        Substring(utf8.trimmingBlanks())
    }
}

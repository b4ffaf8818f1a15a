import Primitives

/// The segments of all templates as a trie, which maps a path to the index of its template.
///
/// Nodes refer to each other by index, so that a look-up counts no references.
struct RouteTrie: Sendable {
    private struct Node: Sendable {
        /// The literal that leads to the node, as a range of `text`; empty for the root and for a parameter.
        var literal = 0..<0
        /// The first child with a literal; nil for none.
        var child: Int?
        /// The next child of the same parent with a literal; nil for none.
        var sibling: Int?
        /// The child for any other segment; nil for none.
        var parameter: Int?
        /// The index of the template that ends at this node; nil for none.
        var templateIndex: Int?
    }

    private var nodes = [Node()]
    private var text: [UInt8] = []
    private var templateCount = 0

    /// Adds a template such as `/v1/items/{id}/events`.
    ///
    /// - Precondition: it is a path of literals and different parameters; only the last segment is empty.
    /// - Returns: its index, which is the next one from 0 or that of an equal template, and the names of its parameters
    ///   with the indices of their segments.
    mutating func insert(_ template: String) -> (index: Int, parameters: [(name: String, segment: Int)]) {
        precondition(template.utf8.first == UInt8(ascii: "/"), "\(template) must begin with a slash")
        let segments = template.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        var parameters: [(name: String, segment: Int)] = []
        var node = 0
        for (number, segment) in segments.enumerated() {
            let isParameter = segment.first == "{" && segment.last == "}"
            let text = String(isParameter ? segment.dropFirst().dropLast() : segment)
            // Unreserved characters only: a look-up compares a literal with their decoded form.
            precondition(text.utf8.allSatisfy(PercentEncoding.isUnreserved), "\(template) has a reserved character")
            let canBeEmpty = !isParameter && number == segments.count - 1
            precondition(canBeEmpty || !text.isEmpty, "\(template) has an empty segment")
            if isParameter {
                precondition(!parameters.contains { $0.name == text }, "\(template) repeats {\(text)}")
                parameters.append((text, number))
                let next = nodes[node].parameter ?? append(Node())
                nodes[node].parameter = next
                node = next
            } else {
                node = child(of: node, for: Array(text.utf8))
            }
        }
        let index = nodes[node].templateIndex ?? templateCount
        if index == templateCount { templateCount += 1 }
        nodes[node].templateIndex = index
        return (index, parameters)
    }

    private mutating func child(of parent: Int, for literal: [UInt8]) -> Int {
        var last: Int?
        var next = nodes[parent].child
        while let node = next {
            if text[nodes[node].literal].elementsEqual(literal) { return node }
            last = node
            next = nodes[node].sibling
        }
        text += literal
        let new = append(Node(literal: text.count - literal.count..<text.count))
        if let last { nodes[last].sibling = new } else { nodes[parent].child = new }
        return new
    }

    private mutating func append(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Returns the index of the template of a path; nil if the path is not served.
    func templateIndex(of path: UnsafeBufferPointer<UInt8>) -> Int? {
        templateIndex(of: path, from: 0, at: 0)
    }

    /// Matches the rest of the path from `position` on, which is at a slash or at the end.
    ///
    /// Every node is visited at most once, so backtracking costs at most a walk over the whole trie.
    private func templateIndex(of path: UnsafeBufferPointer<UInt8>, from position: Int, at index: Int) -> Int? {
        let node = nodes[index]
        if position == path.count { return node.templateIndex }
        guard path[position] == UInt8(ascii: "/") else { return nil }
        let start = position + 1
        let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
        var next = node.child
        while let child = next {
            if matches(path, start, end, nodes[child].literal) {
                if let found = templateIndex(of: path, from: end, at: child) { return found }
                break
            }
            next = nodes[child].sibling
        }
        guard let parameter = node.parameter, start < end else { return nil }
        return templateIndex(of: path, from: end, at: parameter)
    }

    /// Returns whether the segment from `start` to `end` is a literal, after decoding unreserved characters.
    private func matches(_ path: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ literal: Range<Int>) -> Bool {
        // Encoding never makes a segment shorter.
        guard literal.count <= end - start else { return false }
        var position = start
        var letter = literal.lowerBound
        while letter < literal.upperBound {
            guard position < end else { return false }
            if path[position] == text[letter] {
                position += 1
            } else if path[position] == UInt8(ascii: "%"), position + 2 < end,
                let high = PercentEncoding.hexValue(path[position + 1]),
                let low = PercentEncoding.hexValue(path[position + 2]), high << 4 | low == text[letter]
            {
                position += 3
            } else {
                return false
            }
            letter += 1
        }
        return position == end
    }
}

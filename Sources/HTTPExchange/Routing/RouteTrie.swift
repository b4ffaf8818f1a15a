import Primitives

/// The segments of all templates as a flat trie, which maps a path to the number of its template.
struct RouteTrie: Sendable {
    /// A trie node and its outgoing edges.
    private struct Node: Sendable {
        /// The indices of the literal edges in `edges`.
        var literals = 0..<0
        /// The node for any other segment; nil for none.
        var parameter: Int?
        /// The index of the template that ends at this node; nil for none.
        var templateIndex: Int?
    }

    /// A literal segment.
    private struct Edge: Sendable {
        /// The position of the literal in `text`.
        let literal: Range<Int>
        let node: Int
    }

    private let nodes: [Node]
    private let edges: [Edge]
    private let text: [UInt8]

    /// Returns the index of the template of a path; nil if the path is not served.
    func templateIndex(of path: UnsafeBufferPointer<UInt8>) -> Int? {
        templateIndex(of: path, from: 0, at: 0)
    }

    /// Matches the rest of the path from `position` on, which is at a slash or at the end.
    ///
    /// Every node has one depth and is visited at most once, so backtracking costs at most a walk over the whole trie.
    /// The function uses positions, because a slice of an array would be one more reference to count.
    private func templateIndex(of path: UnsafeBufferPointer<UInt8>, from position: Int, at index: Int) -> Int? {
        let node = nodes[index]
        if position == path.count { return node.templateIndex }
        guard path[position] == UInt8(ascii: "/") else { return nil }
        let start = position + 1
        let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
        var literal = node.literals.lowerBound
        while literal < node.literals.upperBound {
            let edge = edges[literal]
            if matches(path, start, end, edge.literal) {
                if let found = templateIndex(of: path, from: end, at: edge.node) { return found }
                break
            }
            literal += 1
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

extension RouteTrie {
    /// Builds the trie, then flattens it.
    struct Builder {
        private struct Branch {
            var literals: [(text: String, node: Int)] = []
            var parameter: (name: String, node: Int)?
            var templateIndex: Int?
        }

        private var branches = [Branch()]
        private var templateCount = 0

        /// Adds a template, and returns its index: the next one from 0, or that of an equal template.
        mutating func insert(_ template: PathTemplate) throws(RouteConflict) -> Int {
            var branch = 0
            for segment in template.segments {
                switch segment {
                case .literal(let text): branch = literal(text, of: branch)
                case .parameter(let name): branch = try parameter(name, of: branch, template)
                }
            }
            if let templateIndex = branches[branch].templateIndex { return templateIndex }
            branches[branch].templateIndex = templateCount
            templateCount += 1
            return templateCount - 1
        }

        private mutating func literal(_ text: String, of branch: Int) -> Int {
            if let known = branches[branch].literals.first(where: { $0.text == text }) { return known.node }
            branches.append(Branch())
            branches[branch].literals.append((text, branches.count - 1))
            return branches.count - 1
        }

        private mutating func parameter(
            _ name: String,
            of branch: Int,
            _ template: PathTemplate
        ) throws(RouteConflict) -> Int {
            if let known = branches[branch].parameter {
                guard known.name == name else {
                    throw .parameterNames(known.name, name, template: template.text)
                }
                return known.node
            }
            branches.append(Branch())
            branches[branch].parameter = (name, branches.count - 1)
            return branches.count - 1
        }

        /// Returns the trie; the number of a branch is that of its node.
        func build() -> RouteTrie {
            var nodes: [Node] = []
            var edges: [Edge] = []
            var text: [UInt8] = []
            for branch in branches {
                let firstEdge = edges.count
                for literal in branch.literals {
                    let start = text.count
                    text.append(contentsOf: literal.text.utf8)
                    edges.append(Edge(literal: start..<text.count, node: literal.node))
                }
                nodes.append(
                    Node(
                        literals: firstEdge..<edges.count,
                        parameter: branch.parameter?.node,
                        templateIndex: branch.templateIndex
                    )
                )
            }
            return RouteTrie(nodes: nodes, edges: edges, text: text)
        }
    }
}

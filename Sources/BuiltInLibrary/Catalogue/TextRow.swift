import Primitives

/// A record of a table of texts: a line with columns separated by `|`.
struct TextRow: Sendable, Equatable {
    private let columns: [String]

    static func all(of table: String) -> [TextRow] { table.split(separator: "\n").map(TextRow.init) }

    private init(_ line: Substring) {
        columns = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0.trimmingBlanks()) }
    }

    /// The text of a column, from 0; nil for `-` and after the last column.
    subscript(column: Int) -> String? {
        columns.indices.contains(column) && columns[column] != "-" ? columns[column] : nil
    }

    /// The text of a column that every record of the table has.
    func require(_ column: Int) -> String {
        guard let text = self[column] else { preconditionFailure("\(columns) lacks column \(column)") }
        return text
    }

    func texts(from column: Int) -> ArraySlice<String> { columns.dropFirst(column) }
}

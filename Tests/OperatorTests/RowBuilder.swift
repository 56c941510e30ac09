/// Lists rows, one a line; each is checked by the compiler for itself, which an array's are not.
@resultBuilder
enum RowBuilder<Row> {
  static func buildBlock(_ rows: Row...) -> [Row] { rows }
}

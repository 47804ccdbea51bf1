import SQLite
import TributaryModel

/// A synced table as the hook needs it. Plain memory, made when the schema is known and freed with ``deallocate()``.
struct CaptureTable {
  let name: UnsafeMutablePointer<CChar>
  let type: Int64
  /// The fields in the order of the table's columns, then the key's columns in key order.
  let columns: UnsafeMutablePointer<CaptureColumn>
  let fieldCount: Int
  let keyCount: Int
  /// The old values of the key may be misread.
  let isKeyMisread: Bool
  /// A delete leaves no image behind.
  let erases: Bool
  /// Field numbers are the fields' positions, and one word holds them.
  let hasPlainMask: Bool
  /// For messages and results, off the hot path.
  let shape: TableShape

  init(_ shape: TableShape, _ info: TableInfo, _ traits: CaptureTraits) {
    let layout = CaptureLayout(info, traits)
    var columns = shape.fields.map { field in
      var column = layout.column(field.index, field.rule)
      layout.note(default: field, of: &column)
      column.settle()
      return column
    }
    columns += shape.key.map { layout.column($0.index, $0.rule, isRowID: shape.isRowIDKey) }
    let bytes = Array(shape.name.utf8CString)
    name = .allocate(capacity: bytes.count)
    name.initialize(from: bytes, count: bytes.count)
    type = shape.type
    self.columns = .allocate(capacity: columns.count)
    self.columns.initialize(from: columns, count: columns.count)
    isKeyMisread = columns[shape.fields.count...].contains { $0.isMisread }
    fieldCount = shape.fields.count
    keyCount = shape.key.count
    erases = shape.onDelete == .erases
    hasPlainMask = fieldCount <= 64 && shape.fields.enumerated().allSatisfy { $0 == $1.field }
    self.shape = shape
  }

  func deallocate() {
    for position in 0..<fieldCount + keyCount { columns[position].oldNull?.deallocate() }
    columns.deallocate()
    name.deallocate()
  }

  /// Leaves out of comparisons what no statement was seen to set; nothing if that is not known.
  func compare(only noted: Set<CaptureNote>?) {
    for position in 0..<fieldCount + keyCount {
      let note = CaptureNote(table: shape.name, column: columnName(position))
      columns[position].isCompared = noted?.contains(note) ?? true
    }
  }

  /// The rule of a column, by its position.
  func rule(_ position: Int) -> ValueRule {
    position < fieldCount ? shape.fields[position].rule : shape.key[position - fieldCount].rule
  }

  /// The name of a column, by its position.
  func columnName(_ position: Int) -> String {
    position < fieldCount ? shape.fields[position].name : shape.key[position - fieldCount].name
  }

  /// The numbers of fields, from a mask over positions and the words that follow it.
  func fields(_ mask: UInt64, _ further: UnsafeRawPointer?) -> FieldMask {
    if hasPlainMask { return FieldMask(low: mask) }
    let words =
      [mask]
      + (0..<(fieldCount - 1) / 64).map { word in
        further?.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self) ?? 0
      }
    var numbers = FieldMask()
    for (position, field) in shape.fields.enumerated() where words[position / 64] >> (position % 64) & 1 == 1
    {
      numbers.insert(field.field)
    }
    return numbers
  }

  /// The names of the key's columns.
  var keyName: String { shape.key.map(\.name).joined(separator: ", ") }
}

/// Where the hook finds the columns of one table.
private struct CaptureLayout {
  let info: TableInfo
  let traits: CaptureTraits
  let affinities: [CaptureAffinity]

  init(_ info: TableInfo, _ traits: CaptureTraits) {
    self.info = info
    self.traits = traits
    affinities = info.columns.map { CaptureAffinity(declaredType: $0.declaredType, isStrict: info.isStrict) }
  }

  func column(_ index: Int, _ rule: ValueRule, isRowID: Bool = false) -> CaptureColumn {
    let storage = isRowID ? CaptureColumn.rowID : storageIndex(index)
    let old = info.isWithoutRowID ? Int32(index) : storage
    return CaptureColumn(
      oldIndex: old, insertIndex: old, updateIndex: storage, isReal: affinities[index] == .real,
      isIntegral: affinities[index] == .integral, isMisread: !isRowID && isMisread(index),
      check: CaptureCheck(rule))
  }

  func note(default field: TableShape.FieldColumn, of column: inout CaptureColumn) {
    let declared = info.columns[field.index].defaultSQL
    guard traits.ignoresDefaults, let declared, declared.uppercased() != "NULL" else { return }
    guard field.isNotNull, let value = field.defaultValue else {
      column.hasAmbiguousNull = true
      return
    }
    let image = CaptureImage.bytes(of: value, isReal: column.isReal)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: image.count)
    copy.initialize(from: image, count: image.count)
    column.oldNull = UnsafePointer(copy)
    column.oldNullLength = image.count
  }

  private func storageIndex(_ index: Int) -> Int32 {
    guard traits.countsStorage else { return Int32(index) }
    return Int32(index - info.columns[..<index].count { $0.kind == .generatedVirtual })
  }

  /// Whether the hook looks at another column, a real one, to know whether a stored integer is a real.
  private func isMisread(_ index: Int) -> Bool {
    guard traits.countsStorage, affinities[index] != .real else { return false }
    let place = info.isWithoutRowID ? placeInKeyedRow(index) : Int(storageIndex(index))
    return affinities[place] == .real
  }

  /// Rows of a table WITHOUT ROWID start with the key.
  private func placeInKeyedRow(_ index: Int) -> Int {
    let key = info.primaryKey.map(\.name)
    if let place = key.firstIndex(of: info.columns[index].name) { return place }
    let before = info.columns[..<index].count { $0.kind != .generatedVirtual && !key.contains($0.name) }
    return key.count + before
  }
}

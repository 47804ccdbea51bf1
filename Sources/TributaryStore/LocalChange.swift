package import TributaryModel

/// One record's change in one local transaction, collapsed: what the change log keeps.
package struct LocalChange: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    case insert = 1
    case update = 2
    case delete = 3
  }

  /// The local number of the record type.
  package var type: Int64
  package var id: RecordID
  package var kind: Kind
  /// For an update, the fields that changed; for a delete, the fields that the same transaction had changed before;
  /// empty for an insert, which stamps all fields of its table.
  package var fields: FieldMask
  /// For a delete, the last values by field number, unless the table erases; empty otherwise.
  package var image: [(field: Int, value: Value)]

  package init(
    type: Int64, id: RecordID, kind: Kind, fields: FieldMask = FieldMask(),
    image: [(field: Int, value: Value)] = []
  ) {
    self.type = type
    self.id = id
    self.kind = kind
    self.fields = fields
    self.image = image
  }

  var name: ProjectionNode.Name { ProjectionNode.Name(type: type, id: id) }

  package static func == (left: LocalChange, right: LocalChange) -> Bool {
    left.type == right.type && left.id == right.id && left.kind == right.kind && left.fields == right.fields
      && left.image.elementsEqual(right.image) { $0.field == $1.field && $0.value == $1.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(id)
    hasher.combine(kind)
  }
}
